package dev.interlock.bench.workload;

/** One waiter's turn at the contended lock, on the monotonic clock that all processes of the host share. */
record Turn(int waiter, long asked, long acquired, long releasing) {
    String line() {
        return waiter + " " + asked + " " + acquired + " " + releasing;
    }

    static Turn parse(String line) {
        var fields = line.split(" ", 4);
        return new Turn(
                Integer.parseInt(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]));
    }

    long waited() {
        return acquired - asked;
    }
}

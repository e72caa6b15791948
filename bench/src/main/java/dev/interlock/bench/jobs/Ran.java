package dev.interlock.bench.jobs;

/** One run of one job, on the monotonic clock that all processes of the host share; while it lasts its end is 0. */
record Ran(int target, int number, long start, long end) {
    String line() {
        return target + " " + number + " " + start + " " + end;
    }

    static Ran parse(String line) {
        var fields = line.split(" ", 4);
        return new Ran(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]));
    }
}

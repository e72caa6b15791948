package dev.interlock.bench.workload;

import java.time.Duration;

/** How long a measurement runs before it counts, and how long it counts. */
public record Window(Duration warmUp, Duration measured) {
    /** The same, as instants of the monotonic clock from now on. */
    Span open() {
        var from = System.nanoTime() + warmUp.toNanos();
        return new Span(from, from + measured.toNanos());
    }

    /** What lies in here counts; the monotonic clock is the same for all processes of a Linux host. */
    record Span(long from, long until) {
        String line() {
            return from + " " + until;
        }

        static Span parse(String line) {
            var fields = line.split(" ", 2);
            return new Span(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        }

        boolean contains(long instant) {
            return instant - from >= 0 && instant - until < 0;
        }

        boolean overlaps(long start, long end) {
            return end - from >= 0 && start - until < 0;
        }

        boolean over(long instant) {
            return instant - until >= 0;
        }

        double seconds() {
            return (until - from) / 1e9;
        }
    }
}

package dev.interlock.core;

import java.time.Duration;

/**
 * The times of a lease, as parts of it, and how often a failing store is asked again. All of them are validated
 * together, so that at least one renewal can fail before work is stopped, and work is stopped before the lease ends.
 *
 * @param lease how long a lease lasts unless a request says otherwise
 * @param renewAt the part of the lease after which it is renewed
 * @param stopAt the part of the lease after which, without a confirmed renewal, the holder stops
 * @param tries how often a request is sent before a transient failure of the store is reported
 */
public record Settings(Duration lease, double renewAt, double stopAt, int tries) {
    public static final Settings DEFAULT = new Settings(Duration.ofSeconds(30), 1.0 / 3, 2.0 / 3, 3);

    public Settings {
        if (lease.compareTo(Lease.SHORTEST) < 0 || lease.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("A lease lasts from 100 ms to 366 days, not " + lease + ".");
        }
        if (!(renewAt > 0 && renewAt < stopAt && stopAt <= 0.9)) {
            throw new IllegalArgumentException(
                    "Renewing at " + renewAt + " and stopping at " + stopAt
                            + " of the lease does not work: it takes 0 < renewAt < stopAt <= 0.9, since clocks may differ by a tenth.");
        }
        if (tries < 1 || tries > 100) {
            throw new IllegalArgumentException("A request is tried 1 to 100 times, not " + tries + ".");
        }
    }

    public Settings withLease(Duration duration) {
        return new Settings(duration, renewAt, stopAt, tries);
    }

    Duration renewAfter(Duration duration) {
        return part(duration, renewAt);
    }

    /** For how long after a confirmed renewal was sent the holder may trust its lease. */
    public Duration trusted(Duration duration) {
        return part(duration, stopAt);
    }

    private static Duration part(Duration duration, double part) {
        return Duration.ofNanos((long) (duration.toNanos() * part));
    }
}

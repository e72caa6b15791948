package dev.interlock.core;

import java.time.Duration;
import java.util.UUID;

/**
 * The time bound under which a process holds: one record in the store, kept alive by one write however many locks and
 * waiters hang on it; they fall with it. The id is random and is never used again once the lease has ended. A store
 * opens the record with the first lock or waiter that names it.
 */
public record Lease(UUID id, String owner, String user, Duration duration) {
    public static final Duration SHORTEST = Duration.ofMillis(100);
    public static final Duration LONGEST = Duration.ofDays(366);

    public Lease {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A lease lasts from 100 ms to 366 days, not " + duration + ".");
        }
    }
}

package dev.interlock.core.janitor;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The whole that single findings are judged against.
 *
 * @param seenAt the store's clock
 * @param serverStartedAt since when the store runs
 * @param grantsResumeAt until when the store, unsure of its past, grants nothing; null when it is sure
 * @param running how many attempts run
 * @param expired how many of them are on a lease that is over
 * @param firstExpiry when the first of those leases was over; null when none is
 * @param longestLease among all that run
 */
public record Census(
        Instant seenAt,
        Instant serverStartedAt,
        @Nullable Instant grantsResumeAt,
        int running,
        int expired,
        @Nullable Instant firstExpiry,
        Duration longestLease) {}

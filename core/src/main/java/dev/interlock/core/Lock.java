package dev.interlock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The record of a lock: its latest grant, and its state as the store's clock saw it. All instants are the store's.
 *
 * @param token the number of the latest grant; strictly increasing per name, for ever
 * @param waiting how many waiters stand in the queue
 * @param closedUntil the end of a cooldown or lock-delay, when the lock is free but may not be granted yet
 * @param seenAt the store's clock when it gave this answer
 */
public record Lock(
        LockName name,
        long token,
        Status status,
        Grant grant,
        int waiting,
        @Nullable Instant closedUntil,
        Instant seenAt) {

    public enum Status {
        /** Held, and the lease is alive. */
        ACTIVE,
        /** Force-released; the holder has been told and is given until its lease ends to stop. */
        RELEASING,
        /** Given back. */
        RELEASED,
        /** Its lease ended without a release; the next request takes it over. */
        EXPIRED;

        public String word() {
            return switch (this) {
                case ACTIVE -> "active";
                case RELEASING -> "releasing";
                case RELEASED -> "released";
                case EXPIRED -> "expired";
            };
        }
    }

    /**
     * One tenure of the lock by one holder.
     *
     * @param lease the lease that the grant hangs on
     */
    public record Grant(
            Holder holder,
            UUID lease,
            Instant acquiredAt,
            Instant renewedAt,
            Instant expiresAt,
            @Nullable Maintenance maintenance,
            @Nullable Forced forced) {}

    /** Somebody ended the grant by force. */
    public record Forced(String actor, String reason) {}

    public Holder holder() {
        return grant.holder();
    }

    /** Whether somebody holds it, if only until it has stopped. */
    public boolean isHeld() {
        return status == Status.ACTIVE || status == Status.RELEASING;
    }

    /** What is left of the lease, as the store's clock saw it; zero when nobody holds the lock. */
    public Duration remaining() {
        Duration left = Duration.between(seenAt, grant.expiresAt());
        return isHeld() && !left.isNegative() ? left : Duration.ZERO;
    }
}

package dev.interlock.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one lock is to be held, beyond its lease.
 *
 * @param lockDelay how long the lock stays closed after an unclean end (expiry, force); for work that cannot be stopped
 *     together with its holder
 * @param cooldown how long the lock stays closed after a clean release
 * @param maxHold the longest one grant may last, however often its lease is renewed
 * @param maintenance set when a person holds the lock for maintenance
 */
public record Terms(
        Duration lockDelay,
        Duration cooldown,
        @Nullable Duration maxHold,
        @Nullable Maintenance maintenance) {
    public static final Terms PLAIN = new Terms(Duration.ZERO, Duration.ZERO, null, null);

    public Terms {
        check("lock-delay", lockDelay, Duration.ZERO);
        check("cooldown", cooldown, Duration.ZERO);
        if (maxHold != null) {
            check("maximum hold", maxHold, Lease.SHORTEST);
        }
    }

    /** Whether nothing special was asked for. */
    public boolean isPlain() {
        return lockDelay.isZero() && cooldown.isZero() && maxHold == null && maintenance == null;
    }

    private static void check(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The " + what + " must be between " + least + " and 366 days, not " + value + ".");
        }
    }

    public Terms withLockDelay(Duration delay) {
        return new Terms(delay, cooldown, maxHold, maintenance);
    }

    public Terms withCooldown(Duration duration) {
        return new Terms(lockDelay, duration, maxHold, maintenance);
    }

    public Terms withMaxHold(Duration duration) {
        return new Terms(lockDelay, cooldown, duration, maintenance);
    }

    public Terms withMaintenance(Maintenance hold) {
        return new Terms(lockDelay, cooldown, maxHold, hold);
    }
}

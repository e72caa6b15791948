package dev.interlock.cli;

import dev.interlock.core.Lease;
import dev.interlock.core.Terms;
import java.time.Duration;

/** How long things may take: the options that several commands share, and what they mean when they are left out. */
final class Limits {
    static final Duration LONGEST = Lease.LONGEST;

    /** What {@code --wait} without a value means: long enough for any night, short enough to be noticed. */
    private static final String WAIT_FALLBACK = "24h";

    private Limits() {}

    static void shapeWait(Shape shape) {
        shape.optionalValue(
                "--wait",
                "DURATION",
                WAIT_FALLBACK,
                "Wait for the lock, first come first served, at most that long; for " + WAIT_FALLBACK
                        + " when no duration is given. Default: do not wait.");
    }

    static Duration wait(Given given) {
        return given.duration("--wait", Duration.ZERO, Duration.ZERO, LONGEST);
    }

    static void shapeTerms(Shape shape) {
        shape.option("--cooldown", "DURATION", "After a clean release nobody gets the lock for that long. Default: 0s.")
                .option(
                        "--lock-delay",
                        "DURATION",
                        "After an unclean end (lease run out, forced) nobody gets the lock for that long: for work that"
                                + " cannot be stopped together with its holder. Default: 0s.")
                .option(
                        "--max-hold",
                        "DURATION",
                        "The longest that the lock may be held, however often its lease is renewed. Default: no limit.");
    }

    static Terms terms(Given given) {
        Terms terms = Terms.PLAIN
                .withCooldown(given.duration("--cooldown", Duration.ZERO, Duration.ZERO, LONGEST))
                .withLockDelay(given.duration("--lock-delay", Duration.ZERO, Duration.ZERO, LONGEST));
        Duration maxHold = given.duration("--max-hold", Duration.ofSeconds(1), LONGEST);
        return maxHold == null ? terms : terms.withMaxHold(maxHold);
    }
}

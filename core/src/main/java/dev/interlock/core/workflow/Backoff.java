package dev.interlock.core.workflow;

import dev.interlock.core.DurationText;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Jitter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a target is left alone after executions that failed before their work began.
 *
 * @param base after the first of them; it doubles with each further one, four times at most
 * @param max what it grows to
 * @param limit with so many in a row the target is closed
 * @param probeAfter how long after the last of them one may try again all the same; null when only a person opens it
 */
public record Backoff(
        Duration base, Duration max, int limit, @Nullable Duration probeAfter) {
    public static final Backoff DEFAULT =
            new Backoff(Duration.ofSeconds(60), Duration.ofMinutes(10), 5, Duration.ofHours(1));

    private static final int MAX_DOUBLINGS = 4;
    private static final double SWING = 0.1;

    public Backoff {
        if (!base.isPositive() || base.compareTo(max) > 0 || max.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("A backoff grows from " + DurationText.show(base) + " to "
                    + DurationText.show(max) + ": it takes 0 < base <= max <= 366 days.");
        }
        if (limit < 1) {
            throw new IllegalArgumentException("A target is closed after 1 failure or more, not " + limit + ".");
        }
        if (probeAfter != null && (!probeAfter.isPositive() || probeAfter.compareTo(Lease.LONGEST) > 0)) {
            throw new IllegalArgumentException("A probe follows after more than nothing and at most 366 days, not "
                    + DurationText.show(probeAfter) + ".");
        }
    }

    public Backoff withLimit(int number) {
        return new Backoff(base, max, number, probeAfter);
    }

    public Backoff withDelays(Duration first, Duration most) {
        return new Backoff(first, most, limit, probeAfter);
    }

    public Backoff withProbeAfter(@Nullable Duration wait) {
        return new Backoff(base, max, limit, wait);
    }

    /**
     * The delay after so many failures in a row. It swings by a tenth, so that what failed together does not come back
     * together, but never leaves base and max; for one failure it is always the same.
     */
    public Duration delay(int failures, String lastExecution) {
        Duration grown = base.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        Duration plain = grown.compareTo(max) < 0 ? grown : max;
        double part = 1 + SWING * (2 * Jitter.of(lastExecution, failures) - 1);
        Duration swung = Duration.ofNanos((long) (plain.toNanos() * part));
        if (swung.compareTo(base) < 0) {
            return base;
        }
        return swung.compareTo(max) < 0 ? swung : max;
    }
}

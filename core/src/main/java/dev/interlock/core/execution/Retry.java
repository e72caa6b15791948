package dev.interlock.core.execution;

import dev.interlock.core.DurationText;
import dev.interlock.core.Lease;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether and when a failed attempt is followed by another. Waiting for a lock is no attempt; a lost runner is one.
 *
 * @param attempts how many there may be in all
 * @param first the longest wait after the first attempt; it doubles with each further one
 * @param longest what the wait grows to
 * @param afterLoss whether the work may be done again although nobody knows how far its lost runner had come
 */
public record Retry(int attempts, Duration first, Duration longest, boolean afterLoss) {
    public static final Retry DEFAULT = new Retry(3, Duration.ofMinutes(5), Duration.ofMinutes(30), false);
    public static final Retry NONE = new Retry(1, Duration.ofMinutes(5), Duration.ofMinutes(30), false);

    private static final int MAX_ATTEMPTS = 100;

    public sealed interface Decision {
        record Again(Instant at) implements Decision {}

        enum GiveUp implements Decision {
            /** It would fail the same way again. */
            PERMANENT,
            /** Its runner was lost, and the workflow does not say that it may be repeated. */
            UNSAFE,
            /** It had all its attempts. */
            EXHAUSTED
        }
    }

    public Retry {
        if (attempts < 1 || attempts > MAX_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "An execution has 1 to " + MAX_ATTEMPTS + " attempts, not " + attempts + ".");
        }
        if (!first.isPositive() || first.compareTo(longest) > 0 || longest.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("The wait before another attempt grows from " + DurationText.show(first)
                    + " to " + DurationText.show(longest) + ": it takes 0 < first <= longest <= 366 days.");
        }
    }

    public Retry withAttempts(int number) {
        return new Retry(number, first, longest, afterLoss);
    }

    public Retry withWaits(Duration shortest, Duration most) {
        return new Retry(attempts, shortest, most, afterLoss);
    }

    public Retry withAfterLoss(boolean safe) {
        return new Retry(attempts, first, longest, safe);
    }

    /** What follows when the running attempt of the execution fails like this. */
    public Decision after(Execution execution, Failure failure, Instant failedAt) {
        int made = (int) execution.attempts().stream()
                .filter(attempt -> !attempt.wasHandedBack())
                .count();
        if (failure.retryClass() == RetryClass.PERMANENT) {
            return Decision.GiveUp.PERMANENT;
        }
        if (failure.kind() == FailureKind.UNKNOWN && !afterLoss) {
            return Decision.GiveUp.UNSAFE;
        }
        if (made >= attempts) {
            return Decision.GiveUp.EXHAUSTED;
        }
        return new Decision.Again(failedAt.plus(wait(execution.id(), made)));
    }

    /** Full jitter: anything from nothing to the whole, so that what failed together does not come back together. */
    Duration wait(String execution, int made) {
        return Duration.ofNanos((long) (longestWait(made).toNanos() * Jitter.of(execution, made)));
    }

    /** 5, 10, 20, 30, 30 … minutes by default. */
    Duration longestWait(int made) {
        Duration wait = first;
        for (int doubled = 1; doubled < made && wait.compareTo(longest) < 0; doubled++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) < 0 ? wait : longest;
    }
}

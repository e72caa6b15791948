package dev.interlock.core.janitor;

import static dev.interlock.core.Wording.quoted;
import static dev.interlock.core.Wording.spoken;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Something that died or went wrong, as it was seen, and what is to be done about it. Whoever acts on it looks again
 * first: by then the world may have moved on.
 */
public sealed interface Finding {
    /** An attempt whose lease is over, or whose lock has moved on. */
    record ExpiredAttempt(String execution, String target, int attempt, long token, String owner, Instant over)
            implements Finding {}

    /** An attempt of whose grant the lock's record knows nothing: a restored backup, a lost table. */
    record LockStateLost(String execution, String target, int attempt, long token, String owner) implements Finding {}

    /** A lock held on a living lease for an execution that does not run under it. */
    record OrphanedLock(String target, long token, String execution, String owner) implements Finding {}

    /** A pending execution that waits for somebody ahead, while nobody is. */
    record Stranded(String execution, String target) implements Finding {}

    /** Waiters for a lock that are gone, or have waited their time. */
    record GoneWaiters(String target, int waiters) implements Finding {}

    record GoneWorker(String worker) implements Finding {}

    /** An attempt that has run longer than its timeout. */
    record Overdue(String execution, String target, int attempt, long token, Duration timeout) implements Finding {}

    record RunningLong(String execution, String target, int attempt, long token, Instant since) implements Finding {}

    /**
     * A resource whose time to live is over.
     *
     * @param period counts the hours since: it is tried once in each
     */
    record ResourceExpired(String target, Instant expiredAt, long period) implements Finding {}

    record DeadLetterOld(String execution, String target, Instant since) implements Finding {}

    /** A dead letter that has been kept long enough. */
    record DeadLetterSpent(String execution, String target, Instant since) implements Finding {}

    /** Two grants of one lock at the same time, which must be impossible. */
    record OverlappingGrants(String target, long token, long later, Instant from, Instant to) implements Finding {}

    /** Whether it passes judgement on a runner, which is better not done in haste. */
    default boolean isJudgement() {
        return switch (this) {
            case ExpiredAttempt expired -> true;
            case LockStateLost lost -> true;
            case OrphanedLock orphan -> true;
            case Stranded s -> false;
            case GoneWaiters w -> false;
            case GoneWorker w -> false;
            case Overdue o -> false;
            case RunningLong r -> false;
            case ResourceExpired r -> false;
            case DeadLetterOld d -> false;
            case DeadLetterSpent d -> false;
            case OverlappingGrants o -> false;
        };
    }

    /** Whether somebody has to know of it now. */
    default boolean isAlert() {
        return switch (this) {
            case LockStateLost lost -> true;
            case RunningLong r -> true;
            case DeadLetterOld d -> true;
            case OverlappingGrants o -> true;
            case ExpiredAttempt e -> false;
            case OrphanedLock o -> false;
            case Stranded s -> false;
            case GoneWaiters w -> false;
            case GoneWorker w -> false;
            case Overdue o -> false;
            case ResourceExpired r -> false;
            case DeadLetterSpent d -> false;
        };
    }

    /** What was found, and what is done about it; the same in a dry run, the journal and the audit trail. */
    default String sentence() {
        return switch (this) {
            case ExpiredAttempt(var execution, var target, int attempt, long token, var owner, var over) ->
                "Attempt %d of execution %s on '%s' lost its worker %s: its lease (token %d) was over at %s. It is closed as WORKER_TIMEOUT."
                        .formatted(attempt, execution, target, owner, token, seconds(over));
            case LockStateLost(var execution, var target, int attempt, long token, var owner) ->
                "Attempt %d of execution %s on '%s' runs on %s without a lock: the store knows nothing of token %d. It is failed as LOCK_STATE_LOST; look at the target before anything else runs on it."
                        .formatted(attempt, execution, target, owner, token);
            case OrphanedLock(var target, long token, var execution, var owner) ->
                "Lock '%s' (token %d) is held by %s for execution %s, which does not run under it. Its holder is told to stop, and it is released at the end of its lease at the latest."
                        .formatted(target, token, owner, execution);
            case Stranded(var execution, var target) ->
                "Execution %s waits for its turn on '%s', and nobody is ahead of it. It may be claimed."
                        .formatted(execution, target);
            case GoneWaiters(var target, int waiters) ->
                "%d waiting for lock '%s' %s gone. Their places are removed."
                        .formatted(waiters, target, waiters == 1 ? "is" : "are");
            case GoneWorker(var worker) -> "Worker " + worker + " is gone. It is removed from the list.";
            case Overdue(var execution, var target, int attempt, long token, var timeout) ->
                "Attempt %d of execution %s on '%s' (token %d) runs longer than its timeout of %s. It is cancelled."
                        .formatted(attempt, execution, target, token, spoken(timeout));
            case RunningLong(var execution, var target, int attempt, long token, var since) ->
                "Attempt %d of execution %s on '%s' (token %d) has been running since %s. See: interlock executions show %s"
                        .formatted(attempt, execution, target, token, seconds(since), quoted(execution));
            case ResourceExpired(var target, var expiredAt, long period) ->
                "The time to live of resource '%s' was over at %s. JANITOR_DESTROY is submitted."
                        .formatted(target, seconds(expiredAt));
            case DeadLetterOld(var execution, var target, var since) ->
                "Execution %s on '%s' has been among the dead letters since %s. See: interlock dead show %s"
                        .formatted(execution, target, seconds(since), quoted(execution));
            case DeadLetterSpent(var execution, var target, var since) ->
                "Execution %s on '%s' has been among the dead letters since %s. It is taken off them."
                        .formatted(execution, target, seconds(since));
            case OverlappingGrants(var target, long token, long later, var from, var to) ->
                "INVARIANT VIOLATED: lock '%s' was held under tokens %d and %d at once, from %s to %s. The target is frozen; find out how before you end that with: interlock locks release %s"
                        .formatted(target, token, later, from, to, quoted(target));
        };
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }
}

package dev.interlock.core.work;

import dev.interlock.core.LockEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a {@link WorkObserver} is told. Times of executions are by the store's clock. */
public sealed interface WorkEvent {
    /** A request became an execution that may run. */
    record Submitted() implements WorkEvent {}

    /**
     * A request was refused when it arrived.
     *
     * @param reason the code of the rule, such as ResourceBusy
     */
    record Refused(String reason) implements WorkEvent {}

    /**
     * An attempt began, and with it the tenure of its target's lock.
     *
     * @param waited since the request, for the first attempt; null for a later one
     * @param took the answer of the store to the question for work
     */
    record Claimed(String workflow, @Nullable Duration waited, Duration took) implements WorkEvent {}

    /** Executions were found whose target is taken, and now stand in line behind it. */
    record Parked(int executions) implements WorkEvent {}

    /** The store could not answer the question for work. */
    record Unanswered(Duration took) implements WorkEvent {}

    /** How an attempt ended. */
    enum Outcome {
        COMPLETED,
        /** It failed, and that was the last attempt. */
        FAILED,
        /** It failed, and another attempt follows. */
        RETRIED,
        CANCELLED
    }

    /**
     * An attempt ended, and the store took note.
     *
     * @param held since its lock was granted
     */
    record Ended(String workflow, Outcome outcome, Duration held) implements WorkEvent {}

    /** An attempt was given back before anything of it had run. */
    record HandedBack(String workflow) implements WorkEvent {}

    /** An execution failed for good and waits for a person. */
    record DeadLettered(String workflow) implements WorkEvent {}

    /** The store refused what somebody with a stale token, or in the wrong phase, told of an attempt. */
    record Fenced() implements WorkEvent {}

    /** Something happened to a lock under which an attempt runs, or to the leases of all of them. */
    record OfLock(LockEvent event) implements WorkEvent {}

    /** A round of the janitor that leads came to its end. */
    record Swept(Duration took) implements WorkEvent {}

    /** What a janitor can put right, or tell. */
    enum Repair {
        EXPIRED_ATTEMPT,
        LOCK_STATE_LOST,
        ORPHANED_LOCK,
        STRANDED,
        GONE_WAITERS,
        GONE_WORKER,
        OVERDUE,
        RUNNING_LONG,
        RESOURCE_EXPIRED,
        DEAD_LETTER_OLD,
        DEAD_LETTER_SPENT,
        /** Two grants of one lock at the same time, which must be impossible. */
        OVERLAPPING_GRANTS
    }

    /** The janitor put something right, or told of it. */
    record Repaired(Repair repair) implements WorkEvent {}
}

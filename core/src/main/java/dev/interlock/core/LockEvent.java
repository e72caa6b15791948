package dev.interlock.core;

import java.time.Duration;

/**
 * What an {@link Observer} is told. Every attempt has one of four ends: granted, refused, unanswered, abandoned. Every
 * grant has one of two, released or lost, unless the process dies before. Beside them, renewals that fail are told.
 */
public sealed interface LockEvent {
    /** Somebody asks. A set of locks counts as one attempt for each of them. */
    record Attempted(LockName name) implements LockEvent {}

    /**
     * The attempt came to its end with the lock held.
     *
     * @param took from the request until the grant, waiting included
     */
    record Granted(LockName name, Duration took) implements LockEvent {}

    record Refused(LockName name, Refusal refusal, Duration took) implements LockEvent {}

    /** The store could not answer. */
    record Unanswered(LockName name, Duration took) implements LockEvent {}

    /** The caller was interrupted before there was an answer. */
    record Abandoned(LockName name, Duration took) implements LockEvent {}

    /**
     * The holder gave the lock back.
     *
     * @param held from before the request that was granted was sent, as a holder counts everything
     */
    record Released(LockName name, Duration held) implements LockEvent {}

    record Lost(LockName name, Loss why, Duration held) implements LockEvent {}

    /** The store could not confirm the leases of this process; it is asked again until they must be given up. */
    record Unrenewed() implements LockEvent {}
}

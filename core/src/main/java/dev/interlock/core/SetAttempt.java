package dev.interlock.core;

/** The answer of {@link Locks#tryAcquireAll}. */
public sealed interface SetAttempt {
    record Acquired(HeldSet locks) implements SetAttempt {}

    record NotAcquired(Refusal refusal) implements SetAttempt {}
}

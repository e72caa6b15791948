package dev.interlock.core;

/** The answer of {@link Locks#tryAcquire}. */
public sealed interface Attempt {
    record Acquired(HeldLock lock) implements Attempt {}

    record NotAcquired(Refusal refusal) implements Attempt {}
}

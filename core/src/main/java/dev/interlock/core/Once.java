package dev.interlock.core;

import java.util.Optional;

/** The answer of {@link Locks#once}: what there is now, and whether this call made it. */
public sealed interface Once<T> {
    T value();

    /** This call created it, and held the lock from before it looked until after it was done: no other call did. */
    record Created<T>(T value, long token) implements Once<T> {}

    /** It was found: made by somebody else, or by this call, which then lost its lock and cannot say that it was alone. */
    record Existed<T>(T value) implements Once<T> {}

    /** Looks for what is to exist once. It must see everything that was created before it was asked. */
    @FunctionalInterface
    interface Lookup<T, E extends Exception> {
        Optional<T> find() throws E;
    }

    /**
     * Creates it. {@link HeldLock#token()} goes to whatever can refuse an older one; for what cannot,
     * {@link HeldLock#requireAtLeast} comes right before the step that lookups see. The lock is given back by the caller.
     */
    @FunctionalInterface
    interface Creation<T, E extends Exception> {
        T create(HeldLock lock) throws E;
    }
}

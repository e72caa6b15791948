package dev.interlock.core;

import java.util.Optional;

/** One call of {@link Locks#once}, which knows how to ask for its lock. */
final class CheckThenCreate<T, E extends Exception> {
    private final Once.Lookup<T, E> lookup;
    private final Once.Creation<T, E> creation;

    CheckThenCreate(Once.Lookup<T, E> lookup, Once.Creation<T, E> creation) {
        this.lookup = lookup;
        this.creation = creation;
    }

    interface Asking {
        /** Asks, and waits as long as the call may still wait. */
        Attempt ask() throws InterruptedException;

        /** Whether the call may still wait. */
        boolean mayWait();
    }

    Once<T> run(Asking asking) throws E, InterruptedException {
        Optional<T> there = lookup.find();
        while (there.isEmpty()) {
            switch (asking.ask()) {
                case Attempt.NotAcquired(Refusal refusal) -> {
                    // Whoever stood in the way may have been creating it.
                    return found(new Refused(refusal));
                }
                case Attempt.Acquired(HeldLock lock) -> {
                    try (lock) {
                        there = lookup.find();
                        if (there.isEmpty() && lock.isHeld()) {
                            return create(lock);
                        }
                        // Lost since it was granted, and nothing has been done yet: it may be asked for again.
                        if (there.isEmpty() && !asking.mayWait()) {
                            throw lost(lock);
                        }
                    }
                }
            }
        }
        return new Once.Existed<>(there.get());
    }

    /**
     * After the loss of the lock somebody else may have created it too, so that what this call made, or believes to
     * have made, counts only if a lookup finds it. It is never created a second time by the same call.
     */
    private Once<T> create(HeldLock lock) throws E {
        T value;
        try {
            value = creation.create(lock);
        } catch (Exception e) {
            if (lock.isHeld()) {
                throw e;
            }
            Optional<T> there = lookup.find();
            if (there.isEmpty()) {
                throw e;
            }
            return new Once.Existed<>(there.get());
        }
        return lock.isHeld() ? new Once.Created<>(value, lock.token()) : found(lost(lock));
    }

    private Once<T> found(RuntimeException otherwise) throws E {
        return lookup.find().<Once<T>>map(Once.Existed::new).orElseThrow(() -> otherwise);
    }

    private static LockLost lost(HeldLock lock) {
        return new LockLost(lock.name(), lock.loss().orElse(Loss.Cause.UNCONFIRMED));
    }
}

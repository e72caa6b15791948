package dev.interlock.contract.once;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Locks;
import dev.interlock.core.Once;
import dev.interlock.core.Options;
import java.time.Duration;
import java.util.Optional;

/** Check-then-create as it should be, and as people write it. */
public enum Variant {
    SOUND {
        @Override
        public <T, E extends Exception> Once<T> once(
                Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
                throws E, InterruptedException {
            return locks.once(key, lookup, creation);
        }
    },
    WITHOUT_THE_LOCK {
        @Override
        public <T, E extends Exception> Once<T> once(
                Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
                throws E, InterruptedException {
            Optional<T> there = lookup.find();
            if (there.isPresent()) {
                return new Once.Existed<>(there.get());
            }
            String nobodyElses = key + "/" + ProcessHandle.current().pid() + "/" + System.identityHashCode(there);
            try (HeldLock lock = locks.acquire(nobodyElses, WAITING)) {
                return created(creation, lock);
            }
        }
    },
    WITHOUT_THE_SECOND_LOOKUP {
        @Override
        public <T, E extends Exception> Once<T> once(
                Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
                throws E, InterruptedException {
            Optional<T> there = lookup.find();
            if (there.isPresent()) {
                return new Once.Existed<>(there.get());
            }
            try (HeldLock lock = locks.acquire(key, WAITING)) {
                return created(creation, lock);
            }
        }
    },
    SAYS_CREATED_WITHOUT_THE_LOCK {
        @Override
        public <T, E extends Exception> Once<T> once(
                Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
                throws E, InterruptedException {
            return lookUpAndCreate(locks.acquire(key, WAITING), lookup, creation);
        }
    },
    FAILS_WHEN_IT_COMES_SECOND {
        @Override
        public <T, E extends Exception> Once<T> once(
                Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
                throws E, InterruptedException {
            Optional<T> there = lookup.find();
            return there.isPresent()
                    ? new Once.Existed<>(there.get())
                    : lookUpAndCreate(locks.acquire(key, Options.refusing()), lookup, creation);
        }
    };

    private static final Options WAITING = Options.waiting(Duration.ofMinutes(5));

    public abstract <T, E extends Exception> Once<T> once(
            Locks locks, String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
            throws E, InterruptedException;

    private static <T, E extends Exception> Once<T> lookUpAndCreate(
            HeldLock held, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation) throws E {
        try (held) {
            Optional<T> there = lookup.find();
            return there.isPresent() ? new Once.Existed<>(there.get()) : created(creation, held);
        }
    }

    private static <T, E extends Exception> Once<T> created(Once.Creation<T, E> creation, HeldLock lock) throws E {
        return new Once.Created<>(creation.create(lock), lock.token());
    }
}

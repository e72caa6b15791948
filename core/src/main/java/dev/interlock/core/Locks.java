package dev.interlock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks for one process: asks the store, waits in its queue, and keeps what it holds alive in the background.
 *
 * <pre>{@code
 * try (HeldLock lock = locks.acquire("prod/db", Options.waiting(Duration.ofMinutes(5)))) {
 *     migrate(lock.token());
 * }
 * }</pre>
 */
public final class Locks implements AutoCloseable {
    /** Enough for a creator to die, on a store that takes a whole lease to notice, and for the next one to create. */
    private static final Duration WAIT_FOR_CREATOR = Duration.ofMinutes(5);

    private final LockStore store;
    private final Identity identity;
    private final Settings settings;
    private final Ports ports;
    private final Retrying retrying;
    private final LeaseKeeper keeper;
    private final Observation observation;

    /** The store stays the caller's to close, after this. */
    public Locks(LockStore store, Identity identity, Settings settings, Ports ports) {
        this(store, identity, settings, ports, new Observation(null, ports.ticker()));
    }

    /** The observer is told what becomes of every request and every grant. */
    public Locks(LockStore store, Identity identity, Settings settings, Ports ports, Observer observer) {
        this(store, identity, settings, ports, new Observation(observer, ports.ticker()));
    }

    private Locks(LockStore store, Identity identity, Settings settings, Ports ports, Observation observation) {
        this.store = store;
        this.identity = identity;
        this.settings = settings;
        this.ports = ports;
        this.retrying = new Retrying(settings.tries(), ports);
        this.keeper = new LeaseKeeper(store, identity, settings, ports, observation);
        this.observation = observation;
    }

    /**
     * The lock, or {@link Refused} when it is busy.
     *
     * @throws StoreUnavailable if the store cannot answer; then nothing is held
     */
    public HeldLock acquire(String name) throws InterruptedException {
        return acquire(name, Options.refusing());
    }

    public HeldLock acquire(String name, Options options) throws InterruptedException {
        return switch (tryAcquire(name, options)) {
            case Attempt.Acquired(HeldLock lock) -> lock;
            case Attempt.NotAcquired(Refusal refusal) -> throw new Refused(refusal);
        };
    }

    public Attempt tryAcquire(String name, Options options) throws InterruptedException {
        return tryAcquire(LockName.of(name), holder(options), options, deadline(options));
    }

    /**
     * Finds what is to exist once, or creates it: of all callers with one key, in all processes, one creates and the
     * others are told what exists. As {@link #once(String, Once.Lookup, Once.Creation, Options)} with a wait of five
     * minutes.
     */
    public <T, E extends Exception> Once<T> once(String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation)
            throws E, InterruptedException {
        return once(key, lookup, creation, Options.waiting(WAIT_FOR_CREATOR));
    }

    /**
     * Looks; if there is nothing, holds the lock of that name, looks again, and creates. An exception of the creation
     * reaches the caller, and the next one creates.
     *
     * @param options the wait must outlast a creation by somebody else; no execution can be named, since requests of
     *     one execution share a lock
     * @throws Refused if the wait ended and there was still nothing to be found
     * @throws LockLost if the lock was lost while creating and nothing was to be found afterwards
     * @throws StoreUnavailable if the store cannot answer; then nothing was created
     */
    public <T, E extends Exception> Once<T> once(
            String key, Once.Lookup<T, E> lookup, Once.Creation<T, E> creation, Options options)
            throws E, InterruptedException {
        if (options.execution() != null) {
            throw new IllegalArgumentException(
                    "Each call of once is a holder of its own; the options must not name an execution.");
        }
        LockName name = LockName.of(key);
        long deadline = deadline(options);
        return new CheckThenCreate<>(lookup, creation).run(new CheckThenCreate.Asking() {
            @Override
            public Attempt ask() throws InterruptedException {
                return tryAcquire(name, holder(options), options, deadline);
            }

            @Override
            public boolean mayWait() {
                return !left(deadline).isZero();
            }
        });
    }

    /**
     * Several locks together. Without waiting all or none are taken in one step; with waiting one after the other in
     * canonical order, so that two sets cannot block each other, and none is kept when the wait ends in vain.
     */
    public HeldSet acquireAll(Collection<String> names, Options options) throws InterruptedException {
        return switch (tryAcquireAll(names, options)) {
            case SetAttempt.Acquired(HeldSet locks) -> locks;
            case SetAttempt.NotAcquired(Refusal refusal) -> throw new Refused(refusal);
        };
    }

    public SetAttempt tryAcquireAll(Collection<String> names, Options options) throws InterruptedException {
        List<LockName> sorted =
                names.stream().map(LockName::of).sorted().distinct().toList();
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("At least one lock must be named.");
        }
        return options.maxWait().isZero()
                ? observation.attempt(sorted, () -> allAtOnce(sorted, options), Locks::refusal)
                : oneByOne(sorted, options);
    }

    private SetAttempt oneByOne(List<LockName> sorted, Options options) throws InterruptedException {
        Holder holder = holder(options);
        long deadline = deadline(options);
        List<HeldLock> held = new ArrayList<>();
        boolean complete = false;
        try {
            for (LockName name : sorted) {
                switch (tryAcquire(name, holder, options, deadline)) {
                    case Attempt.Acquired(HeldLock lock) -> held.add(lock);
                    case Attempt.NotAcquired(Refusal refusal) -> {
                        return new SetAttempt.NotAcquired(refusal);
                    }
                }
            }
            complete = true;
            return new SetAttempt.Acquired(new HeldSet(held));
        } finally {
            if (!complete) {
                held.reversed().forEach(HeldLock::close);
            }
        }
    }

    private SetAttempt allAtOnce(List<LockName> sorted, Options options) throws InterruptedException {
        Holder holder = holder(options);
        return onLease(options, kept -> {
            List<Ask> asks = sorted.stream()
                    .map(name -> new Ask(name, holder, kept.lease(), options.terms()))
                    .toList();
            long askedAt = ports.ticker().nanos();
            SetAcquisition answer = asking(asks, kept, () -> store.acquireAll(asks));
            return switch (answer) {
                case SetAcquisition.AllGranted(List<Lock> locks) ->
                    new SetAttempt.Acquired(new HeldSet(locks.stream()
                            .map(lock -> held(lock, options, kept, askedAt))
                            .toList()));
                case SetAcquisition.NoneGranted(Acquisition obstacle) ->
                    new SetAttempt.NotAcquired(
                            switch (obstacle) {
                                case Acquisition.Held(Lock current) -> new Refusal.Busy(current);
                                case Acquisition.Cooling(Lock last, var until) -> new Refusal.Cooling(last, until);
                                case Acquisition.Granted granted ->
                                    throw new IllegalStateException("a grant is no obstacle");
                            });
            };
        });
    }

    private Attempt tryAcquire(LockName name, Holder holder, Options options, long deadline)
            throws InterruptedException {
        return observation.attempt(
                List.of(name),
                () -> onLease(options, kept -> {
                    Ask ask = new Ask(name, holder, kept.lease(), options.terms());
                    Duration wait = left(deadline);
                    return wait.isZero() ? ask(ask, options, kept) : enter(ask, wait, options, kept);
                }),
                Locks::refusal);
    }

    private static @Nullable Refusal refusal(Attempt attempt) {
        return attempt instanceof Attempt.NotAcquired(Refusal refusal) ? refusal : null;
    }

    private static @Nullable Refusal refusal(SetAttempt attempt) {
        return attempt instanceof SetAttempt.NotAcquired(Refusal refusal) ? refusal : null;
    }

    private Attempt ask(Ask ask, Options options, KeptLease kept) throws InterruptedException {
        long askedAt = ports.ticker().nanos();
        return switch (asking(List.of(ask), kept, () -> store.acquire(ask))) {
            case Acquisition.Granted(Lock lock) -> new Attempt.Acquired(held(lock, options, kept, askedAt));
            case Acquisition.Held(Lock current) -> new Attempt.NotAcquired(new Refusal.Busy(current));
            case Acquisition.Cooling(Lock last, var until) -> new Attempt.NotAcquired(new Refusal.Cooling(last, until));
        };
    }

    private Attempt enter(Ask ask, Duration wait, Options options, KeptLease kept) throws InterruptedException {
        long askedAt = ports.ticker().nanos();
        return switch (asking(List.of(ask), kept, () -> store.enter(ask, wait, options.queueLimit()))) {
            case Acquisition.Granted(Lock lock) -> new Attempt.Acquired(held(lock, options, kept, askedAt));
            case Entry.QueueFull(Lock current, int limit) ->
                new Attempt.NotAcquired(new Refusal.QueueFull(current, limit));
            case Entry.Queued queued -> {
                kept.opened();
                options.onQueued().accept(queued);
                yield await(queued, ask, wait, options, kept);
            }
        };
    }

    /** Whatever ends this wait, no place and no grant stays behind unattended. */
    private Attempt await(Entry.Queued queued, Ask ask, Duration wait, Options options, KeptLease kept)
            throws InterruptedException {
        Place place = queued.place();
        boolean leave = true;
        try {
            if (!ports.await(place.handover(), wait)) {
                return waitedTooLong(ask, options);
            }
            long grantedAt = ports.ticker().nanos();
            Attempt attempt = switch (handover(place)) {
                case Acquisition.Granted(Lock lock) -> new Attempt.Acquired(held(lock, options, kept, grantedAt));
                case Handover.Dropped(var reason) ->
                    switch (reason) {
                        case CANCELLED -> new Attempt.NotAcquired(new Refusal.Cancelled(ask.name()));
                        case WAITED_TOO_LONG -> waitedTooLong(ask, options);
                        case LEASE_ENDED -> throw new LeaseEnded(ask.lease());
                    };
            };
            leave = false;
            return attempt;
        } finally {
            if (leave) {
                leave(place, ask, kept);
            }
        }
    }

    private void leave(Place place, Ask ask, KeptLease kept) {
        try {
            place.leave();
        } catch (StoreUnavailable e) {
            keeper.withdrawLater(ask, kept);
        }
    }

    private static Handover handover(Place place) {
        try {
            return place.handover().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreUnavailable unavailable ? unavailable : e;
        }
    }

    private Attempt waitedTooLong(Ask ask, Options options) {
        return new Attempt.NotAcquired(new Refusal.WaitedTooLong(ask.name(), options.maxWait(), current(ask.name())));
    }

    /** Who stands in the way now; nobody, when the store cannot tell. */
    private @Nullable Lock current(LockName name) {
        try {
            return store.find(name).orElse(null);
        } catch (StoreUnavailable e) {
            return null;
        }
    }

    private HeldLock held(Lock lock, Options options, KeptLease kept, long askedAt) {
        return held(lock, options.terms().maxHold(), kept, askedAt);
    }

    private HeldLock held(Lock lock, @Nullable Duration maxHold, KeptLease kept, long askedAt) {
        kept.opened();
        HeldLock held = new HeldLock(lock, maxHold, kept, store, ports, observation, askedAt);
        held.begin();
        return held;
    }

    /** The lease of this process for that duration, for locks that are taken in transactions of the caller's own. */
    public BorrowedLease borrow(Duration duration) {
        return new BorrowedLease(
                keeper.borrow(duration), keeper, (lock, kept, askedAt) -> held(lock, (Duration) null, kept, askedAt));
    }

    private interface Request<T> {
        T on(KeptLease kept) throws InterruptedException;
    }

    /** Borrows the lease; if it turns out to have ended, asks once more on a new one. */
    private <T> T onLease(Options options, Request<T> request) throws InterruptedException {
        Duration requested = options.lease();
        Duration duration = requested == null ? settings.lease() : requested;
        for (int attempt = 1; ; attempt++) {
            KeptLease kept = keeper.borrow(duration);
            try {
                return request.on(kept);
            } catch (LeaseEnded e) {
                keeper.end(kept, Loss.Cause.EXPIRED);
                if (attempt >= settings.tries()) {
                    throw new StoreUnavailable(
                            StoreUnavailable.Kind.BUSY,
                            "The store is too slow for leases of " + duration + ": they end before they are used.",
                            e);
                }
            } finally {
                keeper.giveBack(kept);
            }
        }
    }

    /** Asks, again if need be. When no answer came the requests may have been granted: they are withdrawn. */
    private <T> T asking(List<Ask> asks, KeptLease kept, Supplier<T> request) throws InterruptedException {
        for (Ask ask : asks) {
            keeper.wanted(ask);
        }
        boolean answered = false;
        try {
            T answer = retrying.ask(request);
            answered = true;
            return answer;
        } catch (LeaseEnded e) {
            answered = true;
            throw e;
        } finally {
            if (!answered) {
                asks.forEach(ask -> keeper.withdrawLater(ask, kept));
            }
        }
    }

    private Holder holder(Options options) {
        String execution = options.execution();
        return new Holder(
                execution == null ? "exec-" + ports.randomId() : execution,
                options.attempt(),
                identity.owner(),
                identity.user());
    }

    private long deadline(Options options) {
        return ports.ticker().nanos() + options.maxWait().toNanos();
    }

    private Duration left(long deadline) {
        long left = deadline - ports.ticker().nanos();
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /** Releases everything this process holds and waits for. */
    @Override
    public void close() {
        keeper.close();
    }
}

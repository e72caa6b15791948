package dev.interlock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock while it is held. It is renewed in the background; ownership belongs to this handle, not to a thread, so that
 * it may be passed on. Whoever works under it asks {@link #isHeld()} or {@link #requireAtLeast} before each step that
 * must not happen twice, and hands {@link #token()} to whatever can check it.
 */
public final class HeldLock implements AutoCloseable {
    private final Lock lock;
    private final KeptLease lease;
    private final LockStore store;
    private final Ports ports;
    private final Observation observation;
    private final long heldSince;
    private final @Nullable Duration maxHold;

    private final ReentrantLock guard = new ReentrantLock();
    private final List<Consumer<Loss>> listeners = new ArrayList<>();
    private final List<Runnable> renewalListeners = new ArrayList<>();
    private @Nullable Loss loss;
    private @Nullable Long endWhenLost;
    private boolean released;
    private Ports.@Nullable Timer holdTimer;

    HeldLock(
            Lock lock,
            @Nullable Duration maxHold,
            KeptLease lease,
            LockStore store,
            Ports ports,
            Observation observation,
            long askedAt) {
        this.lock = lock;
        this.maxHold = maxHold;
        this.lease = lease;
        this.store = store;
        this.ports = ports;
        this.observation = observation;
        // The grant may be older than this answer: handed over before we looked, or asked for again.
        this.heldSince = askedAt
                - Duration.between(lock.grant().acquiredAt(), lock.seenAt()).toNanos();
    }

    /** Joins the lease; from here on the keeper tells when it ends. */
    void begin() {
        if (maxHold != null) {
            long left =
                    Math.max(0, heldSince + maxHold.toNanos() - ports.ticker().nanos());
            holdTimer = ports.timers().after(Duration.ofNanos(left), () -> lose(Loss.Cause.HELD_TOO_LONG));
        }
        lease.add(this);
    }

    public LockName name() {
        return lock.name();
    }

    /** The fencing token: pass it to everything that can refuse an older one. */
    public long token() {
        return lock.token();
    }

    /** The record as it was granted. */
    public Lock lock() {
        return lock;
    }

    /** Whether work may go on, by this process's own clock; false from the moment its own deadline has passed. */
    public boolean isHeld() {
        return !remaining().isZero();
    }

    /** How long the lock may still be trusted without a further renewal; zero when it is lost or released. */
    public Duration remaining() {
        guard.lock();
        try {
            if (loss != null || released) {
                return Duration.ZERO;
            }
        } finally {
            guard.unlock();
        }
        long now = ports.ticker().nanos();
        long left = lease.trustedUntil() - now;
        if (maxHold != null) {
            left = Math.min(left, heldSince + maxHold.toNanos() - now);
        }
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /**
     * How long until the store may end the grant, counted from before the last confirmed request was sent. Whatever
     * works under this lock must be gone by then.
     */
    public Duration untilEnd() {
        long now = ports.ticker().nanos();
        long left = endsAt() - now;
        if (maxHold != null) {
            left = Math.min(left, heldSince + maxHold.toNanos() - now);
        }
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /** Of a lost grant no later renewal of the lease moves the end: those are for the locks beside it. */
    private long endsAt() {
        guard.lock();
        try {
            return endWhenLost == null ? lease.endsAt() : endWhenLost;
        } finally {
            guard.unlock();
        }
    }

    /** Calls the listener after each confirmed renewal, on the thread that renews: it must be short. */
    public void onRenewed(Runnable listener) {
        guard.lock();
        try {
            renewalListeners.add(listener);
        } finally {
            guard.unlock();
        }
    }

    void renewed() {
        List<Runnable> told;
        guard.lock();
        try {
            told = List.copyOf(renewalListeners);
        } finally {
            guard.unlock();
        }
        told.forEach(Runnable::run);
    }

    /** Refuses to go on unless the lock can be trusted for at least that long. */
    public void requireAtLeast(Duration duration) {
        if (remaining().compareTo(duration) < 0) {
            throw new LockLost(name(), loss().orElse(Loss.Cause.UNCONFIRMED));
        }
    }

    /** Why it was lost, once it is. */
    public Optional<Loss> loss() {
        guard.lock();
        try {
            return Optional.ofNullable(loss);
        } finally {
            guard.unlock();
        }
    }

    /** Calls the listener once when the lock is lost, at once if it is already. The work must stop then. */
    public void onLost(Consumer<Loss> listener) {
        Loss already;
        guard.lock();
        try {
            already = loss;
            if (already == null) {
                listeners.add(listener);
            }
        } finally {
            guard.unlock();
        }
        if (already != null) {
            listener.accept(already);
        }
    }

    void lose(Loss why) {
        List<Consumer<Loss>> told;
        guard.lock();
        try {
            if (loss != null || released) {
                return;
            }
            loss = why;
            endWhenLost = lease.endsAt();
            told = List.copyOf(listeners);
        } finally {
            guard.unlock();
        }
        leaveLease();
        observation.lost(name(), why, heldSince);
        for (Consumer<Loss> listener : told) {
            // Each on its own: a listener that blocks must not keep the next lock from being renewed.
            ports.tasks().start("interlock-lost", () -> listener.accept(why));
        }
    }

    /**
     * Gives the lock back. A holder that was told to stop confirms with this that it has, and the lock moves on at
     * once.
     *
     * @throws StoreUnavailable if the store cannot answer; then it is asked again in the background
     */
    public Release release() {
        GivenUp mine = giveUp();
        Loss over = mine.over();
        if (over != null) {
            return new Lost(over, null);
        }
        try {
            Release answer = store.release(lock);
            answered(mine, answer);
            return answer;
        } catch (StoreUnavailable e) {
            unanswered(mine);
            throw e;
        }
    }

    /**
     * Gives the lock back without waiting for the store: from here on it is not held, and the answer comes later. Until
     * then other processes find it busy; whoever asks for it in this one asks after the answer. A store that cannot answer
     * is asked again in the background. A process that ends before the answer, without closing its {@link Locks}, leaves the
     * lock to its lease.
     *
     * @return the answer; what depends on it must be short, since others who were answered may have to wait for it
     */
    public CompletableFuture<Release> releaseSoon() {
        GivenUp mine = giveUp();
        Loss over = mine.over();
        if (over != null) {
            return CompletableFuture.completedFuture(new Lost(over, null));
        }
        CompletableFuture<Release> answer = store.releaseSoon(lock, ports.tasks())
                .whenComplete((release, failure) -> {
                    if (failure == null) {
                        answered(mine, release);
                    } else if (failure instanceof StoreUnavailable) {
                        unanswered(mine);
                    }
                });
        return lease.onItsWayBack(name(), answer);
    }

    /**
     * This handle after it was given up.
     *
     * @param lost why it had been lost before
     * @param first whether nobody was told yet that it is over
     */
    private record GivenUp(@Nullable Loss lost, boolean first) {
        /** The store has said why it is over: there is nothing left to release. */
        @Nullable Loss over() {
            return lost == null || mayStillBeOurs(lost) ? null : lost;
        }
    }

    private GivenUp giveUp() {
        GivenUp mine;
        guard.lock();
        try {
            mine = new GivenUp(loss, !released && loss == null);
            released = true;
        } finally {
            guard.unlock();
        }
        leaveLease();
        return mine;
    }

    private void answered(GivenUp mine, Release answer) {
        if (mine.first()) {
            observe(answer);
        }
    }

    private void unanswered(GivenUp mine) {
        // Without this the locks beside it, which keep the lease alive, would keep it too.
        lease.releaseLater(lock);
        if (mine.first()) {
            observation.released(name(), heldSince);
        }
    }

    /** The store has ended the grant in a transaction of its own: there is nothing left to release. */
    public void concluded() {
        if (giveUp().first()) {
            observation.released(name(), heldSince);
        }
    }

    private void observe(Release answer) {
        switch (answer) {
            case Release.Released done -> observation.released(name(), heldSince);
            case Lost(Loss why, var current) -> observation.lost(name(), why, heldSince);
        }
    }

    private void leaveLease() {
        if (holdTimer != null) {
            holdTimer.cancel();
        }
        lease.remove(this);
    }

    /** The store has not said that the grant is over: releasing it lets the next holder in sooner. */
    private static boolean mayStillBeOurs(Loss loss) {
        return switch (loss) {
            case Loss.ForcedBy forced -> true;
            case Loss.Cause.HELD_TOO_LONG, Loss.Cause.UNCONFIRMED -> true;
            case Loss.Cause.EXPIRED, Loss.Cause.SUPERSEDED, Loss.Cause.ALREADY_RELEASED, Loss.Cause.FORGOTTEN -> false;
        };
    }

    /** Releases if that has not been done. A store that cannot answer is no reason to fail here. */
    @Override
    public void close() {
        guard.lock();
        try {
            if (released) {
                return;
            }
        } finally {
            guard.unlock();
        }
        try {
            release();
        } catch (StoreUnavailable e) {
            // It is released in the background, or falls with its lease.
        }
    }
}

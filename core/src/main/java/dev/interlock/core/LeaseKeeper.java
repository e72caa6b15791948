package dev.interlock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases of one process alive: one lease for each duration in use, one request per round for all of them,
 * never two rounds at once. Without confirmation in time it ends a lease by its own clock, before the store does.
 */
final class LeaseKeeper {
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);

    private final LockStore store;
    private final Identity identity;
    private final Settings settings;
    private final Ports ports;
    private final Observation observation;

    private final ReentrantLock guard = new ReentrantLock();
    private final Map<Duration, KeptLease> current = new HashMap<>();
    private final Set<Withdrawal> withdrawals = ConcurrentHashMap.newKeySet();
    private final Map<LockName, CompletableFuture<Release>> onTheirWayBack = new ConcurrentHashMap<>();
    private Ports.@Nullable Timer nextRound;
    private boolean rounding;
    private boolean roundWanted;
    private int failures;
    private boolean closed;

    LeaseKeeper(LockStore store, Identity identity, Settings settings, Ports ports, Observation observation) {
        this.store = store;
        this.identity = identity;
        this.settings = settings;
        this.ports = ports;
        this.observation = observation;
        store.onTaken(this::roundNow);
    }

    /** The lease for this duration, which does not go away for being idle until it is given back. */
    KeptLease borrow(Duration duration) {
        guard.lock();
        try {
            if (closed) {
                throw new IllegalStateException("These locks have been closed.");
            }
            long now = ports.ticker().nanos();
            KeptLease kept = current.get(duration);
            if (kept == null || kept.hasEnded() || !kept.isTrusted(now)) {
                kept = open(duration, now);
            }
            kept.borrowed();
            return kept;
        } finally {
            guard.unlock();
        }
    }

    void giveBack(KeptLease kept) {
        guard.lock();
        try {
            kept.givenBack();
        } finally {
            guard.unlock();
        }
    }

    /**
     * The store has opened the lease only now, while its time here counts from before it was first asked for. When that
     * was long ago it is renewed at once, or a lock just granted would soon be given up for nothing.
     */
    void opened(KeptLease kept) {
        long age = ports.ticker().nanos() - kept.confirmedAt();
        if (age > settings.renewAfter(kept.lease().duration()).toNanos() / 2) {
            roundNow();
        }
    }

    private KeptLease open(Duration duration, long now) {
        Lease lease = new Lease(ports.randomId(), identity.owner(), identity.user(), duration);
        KeptLease kept = new KeptLease(lease, this, settings.trusted(duration).toNanos(), now);
        KeptLease before = current.put(duration, kept);
        if (before != null && !before.hasEnded()) {
            ports.tasks().start("interlock-lost", () -> end(before, Loss.Cause.UNCONFIRMED));
        }
        watch(kept);
        schedule(untilNextRenewal());
        return kept;
    }

    /** Ends the lease by our own clock when no confirmation has moved its deadline by then. */
    private void watch(KeptLease kept) {
        long left = Math.max(0, kept.trustedUntil() - ports.ticker().nanos());
        ports.timers().after(Duration.ofNanos(left), () -> {
            if (kept.hasEnded()) {
                return;
            }
            if (kept.isTrusted(ports.ticker().nanos())) {
                watch(kept);
            } else {
                end(kept, Loss.Cause.UNCONFIRMED);
            }
        });
    }

    void end(KeptLease kept, Loss why) {
        guard.lock();
        try {
            current.remove(kept.lease().duration(), kept);
        } finally {
            guard.unlock();
        }
        kept.end(why);
    }

    private void schedule(Duration delay) {
        if (nextRound != null) {
            nextRound.cancel();
        }
        nextRound = closed ? null : ports.timers().after(delay, this::roundNow);
    }

    private void roundNow() {
        guard.lock();
        try {
            if (rounding || closed) {
                roundWanted = true;
                return;
            }
            rounding = true;
        } finally {
            guard.unlock();
        }
        ports.tasks().start("interlock-renewer", this::round);
    }

    private void round() {
        boolean confirmed = false;
        try {
            List<KeptLease> due = due();
            if (!due.isEmpty()) {
                renew(due);
            }
            confirmed = true;
        } catch (StoreUnavailable e) {
            // Tried again below until the deadline; the watch ends what could not be confirmed by then.
            observation.unrenewed();
        } finally {
            // Whatever else was thrown, too: a renewer that died silently would be a holder that never learns.
            afterRound(confirmed);
        }
    }

    private void afterRound(boolean confirmed) {
        guard.lock();
        try {
            rounding = false;
            failures = confirmed ? 0 : failures + 1;
            if (closed || current.isEmpty()) {
                return;
            }
            boolean again = roundWanted;
            roundWanted = false;
            schedule(again ? Duration.ZERO : confirmed ? untilNextRenewal() : retryDelay());
        } finally {
            guard.unlock();
        }
    }

    private Duration untilNextRenewal() {
        long now = ports.ticker().nanos();
        long next = Long.MAX_VALUE;
        for (KeptLease kept : current.values()) {
            long renewAfter = settings.renewAfter(kept.lease().duration()).toNanos();
            // Before the store's first answer there is nothing to renew; it is looked at again soon.
            long soonest = kept.isOpened() ? 0 : renewAfter / 4;
            next = Math.min(next, Math.max(soonest, kept.confirmedAt() + renewAfter - now));
        }
        return Duration.ofNanos(next);
    }

    /** Short enough to try several times before the shortest lease must be given up. */
    private Duration retryDelay() {
        Duration shortest = current.keySet().stream().min(Duration::compareTo).orElseThrow();
        Duration cap = settings.renewAfter(shortest).dividedBy(4);
        Duration delay = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
        return ports.jittered(shorter(delay, cap)).plusMillis(1);
    }

    /** What to renew. Leases that nothing hangs on any more are ended, and so are those that came too late. */
    private List<KeptLease> due() {
        List<KeptLease> due = new ArrayList<>();
        List<KeptLease> idle = new ArrayList<>();
        List<KeptLease> lapsed = new ArrayList<>();
        guard.lock();
        try {
            long now = ports.ticker().nanos();
            for (KeptLease kept : current.values()) {
                (kept.isIdle() ? idle : kept.isTrusted(now) ? due : lapsed).add(kept);
            }
            idle.forEach(kept -> current.remove(kept.lease().duration(), kept));
            due.removeIf(kept -> !kept.isOpened());
        } finally {
            guard.unlock();
        }
        idle.forEach(this::retire);
        lapsed.forEach(kept -> end(kept, Loss.Cause.UNCONFIRMED));
        return due;
    }

    private void retire(KeptLease kept) {
        kept.end(Loss.Cause.ALREADY_RELEASED);
        if (!kept.isOpened()) {
            return;
        }
        try {
            store.end(kept.lease());
        } catch (StoreUnavailable e) {
            // The lease runs out by itself.
        }
    }

    private void renew(List<KeptLease> due) {
        long sentAt = ports.ticker().nanos();
        List<LeaseRenewal> answers =
                store.renew(due.stream().map(KeptLease::lease).toList());
        List<KeptLease> confirmed = new ArrayList<>();
        for (int i = 0; i < due.size(); i++) {
            KeptLease kept = due.get(i);
            switch (answers.get(i)) {
                case LeaseRenewal.Renewed renewed
                when kept.isTrusted(ports.ticker().nanos()) -> {
                    // What was taken ends when the lease would have ended without this renewal.
                    renewed.taken().forEach(kept::taken);
                    kept.confirmed(sentAt);
                    confirmed.add(kept);
                }
                // Its holders may have seen it lost already, and a lock that was lost is not held again.
                case LeaseRenewal.Renewed tooLate -> end(kept, Loss.Cause.UNCONFIRMED);
                case LeaseRenewal.Ended over -> end(kept, over.why());
            }
        }
        // Only now, so that a listener that fails has kept nothing from being confirmed.
        confirmed.forEach(KeptLease::tellRenewed);
    }

    /**
     * Gives up, in the background, what may have been granted without our knowing: after a lost answer nobody attends
     * to it, and our other renewals would keep it alive.
     */
    void withdrawLater(Ask ask, KeptLease kept) {
        Withdrawal withdrawal = new Withdrawal(ask);
        withdrawals.add(withdrawal);
        later("interlock-withdraw", () -> {
            try {
                persist(kept, () -> withdrawal.from(store));
                // Once more: the request whose answer was lost may itself have been slower than the first withdrawal.
                ports.pause(settings.renewAfter(ask.lease().duration()));
                persist(kept, () -> withdrawal.from(store));
            } finally {
                withdrawals.remove(withdrawal);
            }
        });
    }

    /**
     * This is about to be asked for, so that no earlier request of its holder may be given up any more. And if this process is
     * giving the lock back, that is waited for: the request would find it busy, or stand in line behind itself.
     */
    void wanted(Ask ask) throws InterruptedException {
        withdrawals.stream().filter(withdrawal -> withdrawal.concerns(ask)).forEach(Withdrawal::callOff);
        CompletableFuture<Release> release = onTheirWayBack.get(ask.name());
        if (release != null) {
            ports.await(release, ask.lease().duration());
        }
    }

    CompletableFuture<Release> onItsWayBack(LockName name, CompletableFuture<Release> answer) {
        onTheirWayBack.put(name, answer);
        return answer.whenComplete((release, failure) -> onTheirWayBack.remove(name, answer));
    }

    void releaseLater(Lock lock, KeptLease kept) {
        later("interlock-release", () -> persist(kept, () -> store.release(lock)));
    }

    private interface Interruptible {
        void run() throws InterruptedException;
    }

    private void later(String name, Interruptible work) {
        ports.tasks().start(name, () -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Asks until the store answers or the lease is not kept any more, with which everything falls. */
    private void persist(KeptLease kept, Runnable request) throws InterruptedException {
        Duration cap = settings.renewAfter(kept.lease().duration());
        Duration delay = FIRST_RETRY;
        while (!kept.hasEnded()) {
            try {
                request.run();
                return;
            } catch (StoreUnavailable e) {
                ports.pause(ports.jittered(delay));
                delay = shorter(delay.multipliedBy(2), cap);
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Ends every lease in the store, so that nobody has to wait for its expiry. */
    void close() {
        List<KeptLease> all;
        guard.lock();
        try {
            closed = true;
            if (nextRound != null) {
                nextRound.cancel();
            }
            all = List.copyOf(current.values());
            current.clear();
        } finally {
            guard.unlock();
        }
        all.forEach(this::retire);
    }
}

package dev.interlock.core;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A lease of this process, what hangs on it, and until when it may be trusted. */
final class KeptLease {
    private final Lease lease;
    private final LeaseKeeper keeper;
    private final long trustNanos;
    private final Set<HeldLock> held = ConcurrentHashMap.newKeySet();

    /** The instant before the last confirmed request was sent: the store cannot have started counting earlier. */
    private volatile long confirmedAt;

    private volatile boolean opened;
    private volatile @Nullable Loss ended;
    private int borrowers; // guarded by the keeper

    KeptLease(Lease lease, LeaseKeeper keeper, long trustNanos, long now) {
        this.lease = lease;
        this.keeper = keeper;
        this.trustNanos = trustNanos;
        this.confirmedAt = now;
    }

    Lease lease() {
        return lease;
    }

    long confirmedAt() {
        return confirmedAt;
    }

    long trustedUntil() {
        return confirmedAt + trustNanos;
    }

    boolean isTrusted(long now) {
        return trustedUntil() - now > 0;
    }

    /** When the store may end it at the earliest. */
    long endsAt() {
        return confirmedAt + lease.duration().toNanos();
    }

    boolean isOpened() {
        return opened;
    }

    boolean hasEnded() {
        return ended != null;
    }

    boolean isIdle() {
        return borrowers == 0 && held.isEmpty();
    }

    void borrowed() {
        borrowers++;
    }

    void givenBack() {
        borrowers--;
    }

    /** The store has a record of it now. */
    void opened() {
        if (!opened) {
            opened = true;
            keeper.opened(this);
        }
    }

    void confirmed(long sentAt) {
        confirmedAt = sentAt;
    }

    void tellRenewed() {
        for (HeldLock lock : List.copyOf(held)) {
            lock.renewed();
        }
    }

    void add(HeldLock lock) {
        held.add(lock);
        // The lease may have ended between the grant and this line; then nobody else will tell this lock.
        Loss why = ended;
        if (why != null) {
            lock.lose(why);
        }
    }

    void remove(HeldLock lock) {
        held.remove(lock);
    }

    void end(Loss why) {
        ended = why;
        for (HeldLock lock : List.copyOf(held)) {
            lock.lose(why);
        }
    }

    void taken(LeaseRenewal.Taken taken) {
        for (HeldLock lock : List.copyOf(held)) {
            if (lock.token() == taken.token() && lock.name().equals(taken.name())) {
                lock.lose(taken.why());
            }
        }
    }

    CompletableFuture<Release> onItsWayBack(LockName name, CompletableFuture<Release> answer) {
        return keeper.onItsWayBack(name, answer);
    }

    void releaseLater(Lock lock) {
        keeper.releaseLater(lock, this);
    }
}

package dev.interlock.engine;

import dev.interlock.core.BorrowedLease;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.Locks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leases for one question to the store. They are borrowed for that question only: one that the store has never seen
 * is not renewed, and would be nearly over by the time that it is first granted something.
 */
final class Leases implements AutoCloseable {
    private final Map<UUID, BorrowedLease> borrowed = new HashMap<>();

    Leases(Locks locks, Set<Duration> durations) {
        for (Duration duration : durations) {
            BorrowedLease lease = locks.borrow(duration);
            borrowed.put(lease.lease().id(), lease);
        }
    }

    Map<Duration, Lease> byDuration() {
        Map<Duration, Lease> leases = new HashMap<>();
        borrowed.values().forEach(lease -> leases.put(lease.lease().duration(), lease.lease()));
        return leases;
    }

    /** Holds what the store granted on one of them; null when it was granted on none. */
    @Nullable HeldLock hold(Lock lock, long askedAt) {
        BorrowedLease lease = borrowed.get(lock.grant().lease());
        return lease == null ? null : lease.hold(lock, askedAt);
    }

    boolean contain(Lock lock) {
        return borrowed.containsKey(lock.grant().lease());
    }

    void ended(LeaseEnded said) {
        BorrowedLease lease = borrowed.get(said.lease().id());
        if (lease != null) {
            lease.ended();
        }
    }

    @Override
    public void close() {
        borrowed.values().forEach(BorrowedLease::close);
    }
}

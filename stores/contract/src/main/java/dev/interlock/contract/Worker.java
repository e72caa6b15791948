package dev.interlock.contract;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.util.UUID;

/** Somebody who asks for locks: a piece of work in a process, and that process's lease. */
record Worker(Holder holder, Lease lease) {
    /** In a process of its own. */
    static Worker named(String name, Duration lease) {
        String owner = name + "-host:4711:" + UUID.randomUUID();
        String user = name + "@example.com";
        return new Worker(new Holder("exec-" + name, 1, owner, user), new Lease(UUID.randomUUID(), owner, user, lease));
    }

    /** The same piece of work, in the same process, on a new lease. */
    Worker onNewLease(Duration duration) {
        return new Worker(holder, new Lease(UUID.randomUUID(), lease.owner(), lease.user(), duration));
    }

    Worker onNewLease() {
        return onNewLease(lease.duration());
    }

    /** Another piece of work in the same process, on the same lease. */
    Worker sibling(String execution) {
        return new Worker(new Holder(execution, 1, holder.owner(), holder.user()), lease);
    }

    Worker attempt(int attempt) {
        return new Worker(new Holder(holder.execution(), attempt, holder.owner(), holder.user()), lease);
    }

    Ask asks(LockName name) {
        return new Ask(name, holder, lease);
    }

    Ask asks(LockName name, Terms terms) {
        return new Ask(name, holder, lease, terms);
    }

    /** That lock, as if it were this worker's grant. */
    Lock claims(Lock lock) {
        Lock.Grant grant = lock.grant();
        return new Lock(
                lock.name(),
                lock.token(),
                lock.status(),
                new Lock.Grant(
                        holder, lease.id(), grant.acquiredAt(), grant.renewedAt(), grant.expiresAt(), null, null),
                lock.waiting(),
                lock.closedUntil(),
                lock.seenAt());
    }
}

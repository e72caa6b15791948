package dev.interlock.memory;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store in front of another one, for tests that change or break one verb of it. */
abstract class Forwarding implements LockStore {
    protected final LockStore store;

    Forwarding(LockStore store) {
        this.store = store;
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return store.acquire(ask);
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return store.acquireAll(asks);
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return store.enter(ask, wait, queueLimit);
    }

    @Override
    public Renewal renew(Lock lock) {
        return store.renew(lock);
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> leases) {
        return store.renew(leases);
    }

    @Override
    public Release release(Lock lock) {
        return store.release(lock);
    }

    @Override
    public void withdraw(Ask ask) {
        store.withdraw(ask);
    }

    @Override
    public void end(Lease lease) {
        store.end(lease);
    }

    @Override
    public Forcing force(Force order) {
        return store.force(order);
    }

    @Override
    public Optional<Lock> find(LockName name) {
        return store.find(name);
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return store.list(filter, page);
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        return store.waiters(name);
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        return store.dropWaiter(name, ticket, actor);
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return store.history(name, page);
    }

    @Override
    public int prune(Duration unusedFor) {
        return store.prune(unusedFor);
    }

    @Override
    public void onTaken(Runnable listener) {
        store.onTaken(listener);
    }

    @Override
    public void close() {
        store.close();
    }
}

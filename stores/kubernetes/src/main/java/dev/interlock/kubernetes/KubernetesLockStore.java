package dev.interlock.kubernetes;

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
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Waiter;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Locks as {@code coordination.k8s.io/v1} Leases in one namespace: one Lease for each name, changed only by
 * compare-and-set on its resourceVersion. Expiry is judged by the API server's own clock, or by having seen the holder
 * stand still for a whole lease; tokens are counted by the API server's own count of versions, which outlives every
 * object.
 */
public final class KubernetesLockStore implements LockStore {
    private final Wires wires;
    private final Lanes lanes;
    private final Leases leases;
    private final Acquiring acquiring;
    private final Entering entering;
    private final Releasing releasing;
    private final Looking looking;

    KubernetesLockStore(
            Wires wires, String namespace, String identity, Ports ports, ServerClock clock, ObjectNames names) {
        String pod = required(identity);
        Function<Ask, String> shown = ask -> pod + "_" + ask.holder().execution();
        Api api = new Api(wires, namespace, clock, ports.ticker());
        LeaseBook book = new LeaseBook();
        Parallel parallel = new Parallel(ports);
        this.wires = wires;
        this.lanes = new Lanes(api, names, clock, ports, book::concerns, this::saw);
        this.leases = new Leases(api, lanes, book, clock, parallel);
        this.acquiring = new Acquiring(lanes, book, leases, parallel, shown);
        this.releasing = new Releasing(lanes, book);
        this.entering = new Entering(lanes, book, leases, releasing, clock, ports, shown);
        this.looking = new Looking(api, lanes, ports.ticker());
    }

    private void saw(LockRecord record) {
        entering.saw(record);
    }

    /**
     * Opens the locks of a namespace. Nothing is asked of the API server yet.
     *
     * @param identity which pod this is: its name, or whatever else no other process at this namespace uses
     */
    public static KubernetesLockStore open(Config config, String namespace, String identity, Ports ports) {
        required(identity);
        return new KubernetesLockStore(
                Wires.to(config), namespace, identity, ports, new DateClock(ports.ticker()), ObjectNames::hashed);
    }

    private static String required(String identity) {
        if (identity.isBlank()) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.MISCONFIGURED,
                    "This process does not know which pod it is, and without that two pods could take each other's"
                            + " locks for their own. Set POD_NAME from metadata.name.");
        }
        return identity;
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return acquiring.one(ask);
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return acquiring.all(asks);
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return entering.enter(ask, wait, queueLimit);
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        return looking.at(name).waiters();
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        return lanes.change(name, record -> Grants.drop(record, ticket));
    }

    @Override
    public Renewal renew(Lock lock) {
        return leases.renew(lock);
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> many) {
        return many.stream().map(leases::renew).toList();
    }

    @Override
    public Release release(Lock lock) {
        return releasing.release(lock);
    }

    @Override
    public void withdraw(Ask ask) {
        releasing.withdraw(ask);
    }

    @Override
    public void end(Lease lease) {
        leases.end(lease);
    }

    @Override
    public Forcing force(Force order) {
        return releasing.force(order);
    }

    @Override
    public void onTaken(Runnable listener) {
        releasing.onTaken(listener);
    }

    @Override
    public Optional<Lock> find(LockName name) {
        return looking.at(name).lock();
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return looking.list(filter, page);
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return looking.history(name, page);
    }

    @Override
    public int prune(Duration unusedFor) {
        return looking.prune(unusedFor);
    }

    /** What this process holds stays held until its leases end. */
    @Override
    public void close() {
        entering.close();
        wires.close();
    }
}

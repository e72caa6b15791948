package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Handover;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Loss;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Standing;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Waiter;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locks as {@code coordination.k8s.io/v1} Leases in one namespace: one Lease for each name, changed only by
 * compare-and-set on its resourceVersion. Expiry is judged by the API server's own clock, or by having seen the holder
 * stand still for a whole lease; tokens are counted by the API server's own count of versions, which outlives every
 * object.
 */
public final class KubernetesLockStore implements LockStore {
    private final KubernetesClient client;
    private final ServerClock clock;
    private final Ports ports;
    private final Api api;
    private final ObjectNames names;
    private final String identity;
    private final LeaseBook book = new LeaseBook();
    private final Lanes lanes;
    private final WaitingRoom room;
    private final Parallel parallel;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<Long> told = ConcurrentHashMap.newKeySet();

    KubernetesLockStore(
            KubernetesClient client,
            String namespace,
            String identity,
            Ports ports,
            ServerClock clock,
            ObjectNames names) {
        this.client = client;
        this.clock = clock;
        this.ports = ports;
        this.names = names;
        this.identity = required(identity);
        this.api = new Api(client, namespace, clock, ports.ticker());
        this.room = new WaitingRoom(ports, book, new Reception());
        this.lanes = new Lanes(api, names, clock, ports, book::concerns, room::saw);
        this.parallel = new Parallel(ports);
    }

    /**
     * Opens the locks of a namespace. Nothing is asked of the API server yet.
     *
     * @param identity which pod this is: its name, or whatever else no other process at this namespace uses
     */
    public static KubernetesLockStore open(Config config, String namespace, String identity, Ports ports) {
        required(identity);
        // A request that failed is asked again as a whole, by whoever knows how long there is time for it.
        Config own = new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
        KubernetesClient client = new KubernetesClientBuilder().withConfig(own).build();
        return new KubernetesLockStore(
                client, namespace, identity, ports, new DateClock(ports.ticker()), ObjectNames::hashed);
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

    private String identity(Ask ask) {
        return identity + "_" + ask.holder().execution();
    }

    // Acquiring.

    @Override
    public Acquisition acquire(Ask ask) {
        return acquiring(ask, step -> lanes.change(ask.name(), step));
    }

    /** A grant, and the lease that had to run out for it. */
    private record Taking(
            Acquisition answer,
            @Nullable LeaseTimes times,
            @Nullable UUID ranOut) {
        boolean isGrant() {
            return answer instanceof Acquisition.Granted;
        }
    }

    private Acquisition acquiring(Ask ask, Function<Lanes.Step<Taking>, Taking> lane) {
        requireAlive(ask.lease());
        book.begin(ask.lease(), ask.name());
        try {
            Taking taking = lane.apply(record -> {
                UUID ranOut = record.expired();
                LeaseTimes times = book.times(ask.lease(), record.now());
                Acquisition answer = record.acquire(ask, identity(ask), times);
                return new Taking(answer, times(record), answer instanceof Acquisition.Granted ? ranOut : null);
            });
            if (taking.answer() instanceof Acquisition.Granted(Lock lock) && taking.times() != null) {
                book.holds(ask.lease(), ask.name(), lock.token(), taking.times());
            }
            revoke(taking.ranOut());
            return taking.answer();
        } finally {
            book.finish(ask.lease(), ask.name());
        }
    }

    private static @Nullable LeaseTimes times(LockRecord record) {
        Tenure tenure = record.tenure();
        return tenure == null ? null : new LeaseTimes(tenure.renewedAt(), tenure.leaseEnd());
    }

    private void requireAlive(Lease lease) {
        if (book.knows(lease.id())) {
            book.times(lease, clock.now());
        }
    }

    /**
     * Somebody took over from a lease that had run out. Its other locks are freed too, and all of that is written down:
     * a lease that has been found over once must not live again, should the server's clock be set back.
     */
    private void revoke(@Nullable UUID lease) {
        if (lease == null) {
            return;
        }
        book.end(lease, Loss.Cause.EXPIRED);
        try {
            for (LockName name : labelled(lease)) {
                lanes.change(name, record -> {
                    record.confirmOver(lease);
                    return true;
                });
            }
        } catch (StoreUnavailable e) {
            // The grant stands. What could not be freed now has run out by itself, like this one.
        }
    }

    private List<LockName> labelled(UUID lease) {
        return api.list(LeaseObject.LEASE + "=" + lease).stream()
                .map(LeaseObject::lockName)
                .filter(name -> name != null && !name.isEmpty())
                .map(LockName::of)
                .sorted()
                .toList();
    }

    /**
     * There is no transaction over several objects. All are looked at before the first is written, and they are taken
     * in canonical order; when one has been lost to somebody else meanwhile, those before it are given back.
     */
    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        asks.forEach(ask -> requireAlive(ask.lease()));
        List<Ask> sorted = asks.stream().sorted(Comparator.comparing(Ask::name)).toList();
        Map<LockName, Boolean> had = new ConcurrentHashMap<>();
        Map<LockName, Boolean> blocked = new ConcurrentHashMap<>();
        parallel.each(sorted, ask -> {
            LockRecord record = lanes.glance(ask.name());
            record.requireAlive(ask.lease());
            had.put(ask.name(), record.isHeldBy(ask.holder()));
            blocked.put(ask.name(), record.obstacle(ask) != null);
        });
        Acquisition obstacle = null;
        for (Ask ask : sorted) {
            if (Boolean.TRUE.equals(blocked.get(ask.name()))) {
                obstacle = acquire(ask);
                if (obstacle instanceof Acquisition.Granted(Lock lock)) {
                    undo(lock); // It has become free meanwhile; the others have not been taken, so ask again below.
                    obstacle = null;
                } else {
                    break;
                }
            }
        }
        Map<LockName, Lock> granted = new ConcurrentHashMap<>();
        if (obstacle == null) {
            obstacle = takeAll(sorted, had, granted);
        }
        sorted.forEach(ask -> lanes.forget(ask.name()));
        return obstacle == null
                ? new SetAcquisition.AllGranted(asks.stream()
                        .map(ask -> Objects.requireNonNull(granted.get(ask.name())))
                        .toList())
                : new SetAcquisition.NoneGranted(obstacle);
    }

    private @Nullable Acquisition takeAll(List<Ask> sorted, Map<LockName, Boolean> had, Map<LockName, Lock> granted) {
        boolean complete = false;
        List<Lock> taken = new ArrayList<>();
        try {
            for (Ask ask : sorted) {
                Acquisition answer = acquiring(ask, step -> lanes.continuing(ask.name(), step, Taking::isGrant));
                if (!(answer instanceof Acquisition.Granted(Lock lock))) {
                    return answer;
                }
                granted.put(ask.name(), lock);
                if (!Boolean.TRUE.equals(had.get(ask.name()))) {
                    taken.add(lock);
                }
            }
            complete = true;
            return null;
        } finally {
            if (!complete) {
                taken.reversed().forEach(this::undo);
            }
        }
    }

    private void undo(Lock lock) {
        lanes.continuing(
                lock.name(),
                record -> {
                    record.undo(lock);
                    return record.isChanged();
                },
                done -> done);
        book.gaveBack(lock.grant().lease(), lock.name(), lock.token());
    }

    // Waiting.

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return enter(ask, wait, queueLimit, new CompletableFuture<>());
    }

    private Entry enter(Ask ask, Duration wait, int queueLimit, CompletableFuture<Handover> handover) {
        requireAlive(ask.lease());
        book.begin(ask.lease(), ask.name());
        try {
            record Entered(
                    LockRecord.Entering how,
                    LeaseTimes times,
                    String uid,
                    @Nullable UUID ranOut) {}
            Entered entered = lanes.change(ask.name(), record -> {
                UUID ranOut = record.expired();
                LeaseTimes times = book.times(ask.lease(), record.now());
                return new Entered(
                        record.enter(ask, identity(ask), times, wait, queueLimit), times, record.uid(), ranOut);
            });
            switch (entered.how()) {
                case LockRecord.Entering.Answered(Entry answer) -> {
                    if (answer instanceof Acquisition.Granted(Lock lock)) {
                        book.holds(ask.lease(), ask.name(), lock.token(), entered.times());
                        revoke(entered.ranOut());
                    }
                    return answer;
                }
                case LockRecord.Entering.Queued(Waiting waiting, Lock current, int position) -> {
                    book.waits(ask.lease(), ask.name(), waiting.ticket(), entered.times());
                    CompletableFuture<Handover> future = room.join(
                            new WaitingRoom.Wait(ask, waiting.ticket(), entered.uid(), waiting.until(), handover));
                    return new Entry.Queued(
                            new KubernetesPlace(future, () -> standing(ask), () -> withdraw(ask)), current, position);
                }
            }
        } finally {
            book.finish(ask.lease(), ask.name());
        }
    }

    private Optional<Standing> standing(Ask ask) {
        LockRecord record = lanes.look(ask.name());
        return record.waiters().stream()
                .filter(waiter -> Tenure.same(waiter.holder(), ask.holder()))
                .findFirst()
                .map(waiter -> new Standing(
                        waiter.position(),
                        record.view(),
                        Estimate.of(record.newestFirst(), waiter.position()).orElse(null)));
    }

    /** What the waiters of this process need: to look, to come back, to be told. */
    private final class Reception implements WaitingRoom.Door {
        @Override
        public void look(LockName name) {
            UUID ranOut = lanes.change(name, record -> Optional.ofNullable(record.expired()))
                    .orElse(null);
            revoke(ranOut);
        }

        @Override
        public void rejoin(WaitingRoom.Wait wait) {
            Duration left = Duration.between(clock.now().latest(), wait.until());
            switch (enter(wait.ask(), left.isNegative() ? Duration.ZERO : left, Integer.MAX_VALUE, wait.handover())) {
                case Acquisition.Granted granted -> wait.handover().complete(granted);
                case Entry.Queued again -> {}
                case Entry.QueueFull full -> wait.handover().complete(new Handover.Dropped(Handover.Reason.CANCELLED));
            }
        }

        @Override
        public Api.Watch watch(LockName name, long afterVersion, Runnable ended) {
            Api.Watch watch = api.watch(
                    names.of(name), afterVersion, lease -> beside(() -> changed(name, lease)), () -> beside(ended));
            return () -> beside(watch::stop);
        }

        /** Not in the client's own thread, which holds locks of the client while it delivers. */
        private void beside(Runnable work) {
            ports.tasks().start("interlock-watch", work);
        }

        private void changed(LockName name, io.fabric8.kubernetes.api.model.coordination.v1.@Nullable Lease lease) {
            LockRecord record = lanes.record(name, lease, ports.ticker().nanos());
            tellTaken(record);
            room.saw(record);
        }
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        return lanes.look(name).waiters();
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        return lanes.change(name, record -> record.drop(ticket));
    }

    // Renewing.

    @Override
    public Renewal renew(Lock lock) {
        record Renewing(Renewal answer, @Nullable Tenure tenure) {}
        Renewing renewing = lanes.continuing(
                lock.name(),
                record -> {
                    Tenure tenure = record.tenure();
                    if (tenure != null && book.ended(tenure.lease()) != null) {
                        record.end(leaseOf(tenure), Past.Event.EXPIRED);
                    }
                    return new Renewing(record.renew(lock), record.tenure());
                },
                done -> done.answer() instanceof Renewal.Renewed);
        if (renewing.answer() instanceof Renewal.Renewed && renewing.tenure() != null) {
            renewSiblings(lock.name(), renewing.tenure());
        }
        return renewing.answer();
    }

    private static Lease leaseOf(Tenure tenure) {
        return new Lease(
                tenure.lease(), tenure.holder().owner(), tenure.holder().user(), tenure.duration());
    }

    /** The renewal of one lock renews the lease under all of them. */
    private void renewSiblings(LockName renewed, Tenure tenure) {
        Lease lease = leaseOf(tenure);
        LeaseTimes times = new LeaseTimes(tenure.renewedAt(), tenure.leaseEnd());
        book.renewed(lease.id(), times);
        List<LockName> all = book.knows(lease.id()) ? book.names(lease.id()) : labelled(lease.id());
        parallel.each(
                all.stream().filter(name -> !name.equals(renewed)).toList(),
                name -> lanes.continuing(
                        name,
                        record -> {
                            record.renew(lease, times);
                            return record.isChanged();
                        },
                        done -> done));
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> leases) {
        return leases.stream().map(this::renew).toList();
    }

    private LeaseRenewal renew(Lease lease) {
        if (!book.knows(lease.id()) && !adopt(lease)) {
            return new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
        }
        return switch (book.renewing(lease, clock.now())) {
            case LeaseBook.Renewing.Unknown unknown -> new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
            case LeaseBook.Renewing.Over(Loss why) -> new LeaseRenewal.Ended(lease, why);
            case LeaseBook.Renewing.Now(LeaseTimes times, List<LockName> all) -> renew(lease, times, all);
        };
    }

    /** Another process opened this lease; its locks are found by their label. */
    private boolean adopt(Lease lease) {
        for (LockName name : labelled(lease.id())) {
            Tenure tenure = lanes.look(name).tenure();
            if (tenure != null && tenure.isCurrent() && tenure.lease().equals(lease.id())) {
                book.holds(lease, name, tenure.token(), new LeaseTimes(tenure.renewedAt(), tenure.leaseEnd()));
            }
        }
        return book.knows(lease.id());
    }

    /** What one lock had to say when its lease was renewed. */
    private record News(
            List<LeaseRenewal.Taken> taken, @Nullable Loss ended) {
        boolean isGood() {
            return taken.isEmpty() && ended == null;
        }
    }

    private LeaseRenewal renew(Lease lease, LeaseTimes times, List<LockName> all) {
        List<News> news = new CopyOnWriteArrayList<>();
        parallel.each(
                all,
                name -> news.add(lanes.continuing(
                        name, record -> renewed(lease, times, name, record), answer -> answer.isGood())));
        Loss ended = news.stream()
                .map(News::ended)
                .filter(loss -> loss != null)
                .findFirst()
                .orElse(null);
        if (ended != null) {
            book.end(lease.id(), ended);
            all.forEach(name -> lanes.change(name, record -> {
                record.end(lease, Past.Event.EXPIRED);
                return true;
            }));
            return new LeaseRenewal.Ended(lease, ended);
        }
        return new LeaseRenewal.Renewed(
                lease,
                times.expiresAt(),
                news.stream()
                        .flatMap(one -> one.taken().stream())
                        .sorted(Comparator.comparing(LeaseRenewal.Taken::name))
                        .toList());
    }

    private News renewed(Lease lease, LeaseTimes times, LockName name, LockRecord record) {
        Loss ended = record.ending(lease);
        List<LeaseRenewal.Taken> taken = new ArrayList<>();
        for (long token : book.tokens(lease.id(), name)) {
            Loss why = record.loss(token);
            if (why == Loss.Cause.ALREADY_RELEASED) {
                book.gaveBack(lease.id(), name, token);
            } else if (why != null) {
                taken.add(new LeaseRenewal.Taken(name, token, why));
            }
        }
        if (ended == null) {
            record.renew(lease, times);
        }
        return new News(taken, ended);
    }

    // Giving up.

    @Override
    public Release release(Lock lock) {
        Release answer =
                lanes.continuing(lock.name(), record -> record.release(lock), Release.Released.class::isInstance);
        book.gaveBack(lock.grant().lease(), lock.name(), lock.token());
        return answer;
    }

    @Override
    public void withdraw(Ask ask) {
        lanes.change(ask.name(), record -> {
            Tenure tenure = record.tenure();
            record.withdraw(ask);
            if (tenure != null && tenure.isOf(ask.holder())) {
                book.gaveBack(tenure.lease(), ask.name(), tenure.token());
            }
            return true;
        });
    }

    @Override
    public void end(Lease lease) {
        boolean known = book.knows(lease.id());
        if (known && book.ended(lease.id()) != null) {
            return;
        }
        List<LockName> all = known ? book.names(lease.id()) : labelled(lease.id());
        if (known) {
            book.end(lease.id(), Loss.Cause.ALREADY_RELEASED);
        }
        parallel.each(
                all,
                name -> lanes.continuing(
                        name,
                        record -> {
                            record.end(lease, Past.Event.RELEASED);
                            return record.isChanged();
                        },
                        done -> done));
    }

    @Override
    public Forcing force(Force order) {
        Forcing answer = lanes.change(order.name(), record -> record.force(order));
        tellTaken(lanes.look(order.name()));
        return answer;
    }

    /** A holder in this process is told once, and asks for the rest. */
    private void tellTaken(LockRecord record) {
        Tenure tenure = record.tenure();
        if (tenure != null && tenure.forced() != null && book.isOurs(tenure.lease()) && told.add(tenure.token())) {
            listeners.forEach(Runnable::run);
        }
    }

    @Override
    public void onTaken(Runnable listener) {
        listeners.add(listener);
    }

    // Looking.

    @Override
    public Optional<Lock> find(LockName name) {
        return lanes.look(name).lock();
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return filter.page(
                all().stream().map(LockRecord::lock).flatMap(Optional::stream).sorted(Comparator.comparing(Lock::name)),
                page);
    }

    private record Found(io.fabric8.kubernetes.api.model.coordination.v1.Lease lease, LockRecord record) {}

    private List<LockRecord> all() {
        return found().stream().map(Found::record).toList();
    }

    private List<Found> found() {
        long sentAt = ports.ticker().nanos();
        var leases = api.list(LeaseObject.MANAGED_BY + "=" + LeaseObject.INTERLOCK);
        List<Found> found = new ArrayList<>();
        for (var lease : leases) {
            String name = LeaseObject.lockName(lease);
            if (name != null && !name.isEmpty()) {
                found.add(new Found(lease, lanes.record(LockName.of(name), lease, sentAt)));
            }
        }
        return found;
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return Listing.history(lanes.look(name).newestFirst(), page);
    }

    /** A record that comes back starts above the versions of this one, since the server's count goes on. */
    @Override
    public int prune(Duration unusedFor) {
        int pruned = 0;
        for (Found found : found()) {
            LockRecord record = found.record();
            Instant since = record.now().earliest().minus(unusedFor);
            if (record.isIdleSince(since) && api.delete(found.lease()) && record.tenure() != null) {
                pruned++;
            }
        }
        return pruned;
    }

    /** What this process holds stays held until its leases end. */
    @Override
    public void close() {
        room.close();
        client.close();
    }
}

package dev.interlock.dynamodb;

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
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Standing;
import dev.interlock.core.Waiter;
import dev.interlock.core.polling.Sightings;
import dev.interlock.core.polling.Waiting;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Locks on one DynamoDB table. Acquiring, renewing and giving back without contention are one conditional write each;
 * whatever is refused comes back with the record that was in the way. Expiry is judged by the server's clock and by
 * observation, never by this machine's. Waiting is by polling: first come first served within a process, whoever looks
 * first between processes.
 */
public final class DynamoLockStore implements LockStore {
    private final Requests requests;
    private final Leases leases;
    private final Judge judge;
    private final Granting granting;
    private final Snapshots snapshots = new Snapshots();
    private final Queue queue;
    private final Entering entering;
    private final Acquiring acquiring;
    private final Releasing releasing;
    private final ForcedRelease forcing;
    private final History history;
    private final Listing listing;
    private final Pruning pruning;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private DynamoLockStore(DynamoDbClient client, String table, Ports ports) {
        String room = ports.randomId().toString();
        this.requests = new Requests(client, table, ports, new ServerClock(ports.ticker()));
        Floor floor = new Floor(requests, ports.ticker());
        Sightings sightings = new Sightings(ports.ticker());
        this.leases = new Leases(requests, sightings);
        this.judge = new Judge(requests, leases, sightings, ports.ticker());
        Journal journal = new Journal(requests, room);
        this.granting = new Granting(requests, leases, judge, journal, snapshots, floor, ports);
        this.queue = new Queue(room, requests.clock(), leases);
        this.history = new History(requests);
        this.entering = new Entering(
                requests,
                leases,
                judge,
                journal,
                granting,
                snapshots,
                queue,
                ports,
                waiting -> new QueuedPlace(this, waiting));
        this.releasing = new Releasing(requests, leases, judge, granting, snapshots, queue, entering, history);
        this.acquiring = new Acquiring(requests, leases, judge, journal, granting, floor, this::release);
        this.forcing = new ForcedRelease(requests, judge, journal);
        this.listing = new Listing(requests, judge);
        this.pruning = new Pruning(requests, listing, leases, history, floor, snapshots);
    }

    /**
     * Looks at the table first, and refuses one that cannot keep the promises.
     *
     * @param client stays the caller's to close, after this
     */
    public static DynamoLockStore open(DynamoDbClient client, String table, Ports ports) {
        DynamoTable.check(client, table);
        return new DynamoLockStore(client, table, ports);
    }

    @Override
    public Acquisition acquire(Ask ask) {
        return acquiring.acquire(ask);
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        return acquiring.acquireAll(asks);
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        return entering.enter(ask, wait, queueLimit);
    }

    @Override
    public Renewal renew(Lock lock) {
        LockRecord record = read(lock.name());
        Judged judged = record == null ? null : judge.fully(record);
        boolean own = judged != null && judged.lock().token() == lock.token() && judged.isHeldBy(lock.holder());
        if (record == null || judged == null || !own) {
            return releasing.lost(lock, record, judged);
        }
        Lease lease = new Lease(
                judged.lease().id(),
                lock.holder().owner(),
                lock.holder().user(),
                judged.lease().duration());
        leases.opened(lease, judged.lease());
        return switch (leases.renew(lease)) {
            case LeaseRenewal.Renewed renewed ->
                new Renewal.Renewed(judge.quickly(record).view());
            case LeaseRenewal.Ended ended -> releasing.lost(lock, record, judge.fully(record));
        };
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> renewed) {
        return renewed.stream().map(leases::renew).toList();
    }

    @Override
    public Release release(Lock lock) {
        return entering.room().turn(lock.name(), turn -> releasing.release(turn, lock));
    }

    @Override
    public void withdraw(Ask ask) {
        entering.room().find(ask.name(), ask.holder()).ifPresent(this::leave);
        LockRecord record = read(ask.name());
        if (record != null) {
            Judged judged = judge.quickly(record);
            if (judged.isHeldBy(ask.holder())) {
                release(judged.view());
            }
        }
    }

    /** Gives back what this process holds on it, each by itself, so that the next need not look at the lease at all. */
    @Override
    public void end(Lease lease) {
        snapshots.on(lease.id()).forEach(record -> {
            Judged judged = judge.quickly(record);
            if (judged.isHeld()) {
                release(judged.view());
            }
        });
        leases.end(lease);
        for (LockName name : entering.room().names()) {
            entering.room().turn(name, turn -> queue.alive(turn));
            entering.room().wake(name);
        }
    }

    @Override
    public Forcing force(Force order) {
        Forcing answer = forcing.force(order);
        listeners.forEach(Runnable::run);
        entering.room().wake(order.name());
        return answer;
    }

    @Override
    public Optional<Lock> find(LockName name) {
        return Optional.ofNullable(read(name)).map(judge::fully).map(Judged::view);
    }

    private @Nullable LockRecord read(LockName name) {
        return LockRecord.from(requests.get(LockRecord.key(name)));
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return listing.locks(filter, page);
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        LockRecord record = read(name);
        List<Queued> all = new ArrayList<>(
                record == null ? List.of() : judge.quickly(record).waitingOutside(queue.room()));
        all.addAll(queue.with(List.of(), alive(name)));
        all.sort(Comparator.comparingLong(Queued::ticket));
        List<Waiter> waiters = new ArrayList<>();
        for (Queued queued : all) {
            waiters.add(
                    new Waiter(queued.ticket(), waiters.size() + 1, queued.holder(), queued.since(), queued.until()));
        }
        return waiters;
    }

    private List<Waiting> alive(LockName name) {
        return entering.room().queue(name).stream()
                .filter(waiting -> !leases.hasEnded(waiting.ask().lease().id()))
                .toList();
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        Optional<Waiting> here = entering.room().queue(name).stream()
                .filter(waiting -> waiting.ticket() == ticket)
                .findFirst();
        if (here.isPresent()) {
            leave(here.get());
            return true;
        }
        for (int attempt = 1; ; attempt++) {
            LockRecord record = read(name);
            if (record == null || record.waiting().stream().noneMatch(queued -> queued.ticket() == ticket)) {
                return false;
            }
            LockRecord without = record.with(record.waiting().stream()
                    .filter(queued -> queued.ticket() != ticket)
                    .toList());
            if (requests.put(without.item(), Change.unchanged(record)) instanceof Write.Done) {
                return true;
            }
            requests.pause(attempt);
        }
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return history.page(name, page);
    }

    @Override
    public int prune(Duration unusedFor) {
        return pruning.prune(unusedFor);
    }

    @Override
    public void onTaken(Runnable listener) {
        listeners.add(listener);
    }

    /** The process stops waiting; what it holds and waits for falls with its leases. */
    @Override
    public void close() {
        entering.room().close();
    }

    Optional<Standing> standing(Waiting waiting) {
        LockName name = waiting.ask().name();
        List<Waiting> here = alive(name);
        LockRecord record = here.contains(waiting) ? read(name) : null;
        if (record == null) {
            return Optional.empty();
        }
        Judged judged = judge.fully(record);
        boolean cancelled = queue.wasShown(waiting)
                && record.waiting().stream().noneMatch(queued -> queued.ticket() == waiting.ticket());
        if (cancelled) {
            return Optional.empty();
        }
        long before = judged.waitingOutside(queue.room()).stream()
                .filter(queued -> queued.ticket() < waiting.ticket())
                .count();
        int position = Math.toIntExact(before) + here.indexOf(waiting) + 1;
        return Optional.of(new Standing(position, judged.view(), history.estimate(name, position)));
    }

    void leave(Waiting waiting) {
        LockName name = waiting.ask().name();
        Optional<Lock> handed = entering.room().leave(waiting);
        queue.gone(waiting.ticket());
        if (handed.isPresent()) {
            release(handed.get());
        } else if (!(waiting.outcome() instanceof Handover.Dropped(Handover.Reason reason)
                && reason == Handover.Reason.LEASE_ENDED)) {
            entering.room().turn(name, turn -> {
                LockRecord record = read(name);
                if (record != null && queue.showsSomebody(record)) {
                    entering.serve(turn, record);
                }
                return name;
            });
        }
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Handover;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Lost;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
import dev.interlock.core.Standing;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Waiter;
import dev.interlock.core.work.WorkStores;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Locks on PostgreSQL. Each verb is one statement, and concurrent requests of one process share one. The process keeps
 * a few connections of its own, and one more to listen on; a pooler in transaction mode may stand in between.
 */
public final class PostgresLockStore implements LockStore {
    private static final String WITHDRAW = "SELECT * FROM interlock.withdraw(?, ?, ?, ?, ?)";
    private static final String ABANDON = "SELECT interlock.abandon(?, ?, ?)";
    private static final String END_LEASE = "SELECT * FROM interlock.end_lease(?, ?)";
    private static final String FORCE = "SELECT * FROM interlock.force(?, ?, ?, ?, ?)";
    private static final String DROP_WAITER = "SELECT interlock.drop_waiter(?, ?, ?)";
    private static final String RAISE_EPOCH = "SELECT epoch FROM interlock.raise_epoch()";

    private static final Duration KEPT_UNUSED = Duration.ofDays(90);
    private static final Duration HELD_BEFORE_LISTENING = Duration.ofSeconds(1);

    /** One lane each for asking and releasing: with more, batches get smaller faster than they get quicker. */
    private static final int LANES = 1;

    private static final int BATCH = 128;

    /** Work inside a transaction of the store's. */
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private final DataSource source;
    private final DataSource listenOn;
    private final Ports ports;
    private final String channel;
    private final Connections connections;
    private final Leases leases = new Leases();
    private final Grants grants = new Grants();
    private final RoundTrip trip = new RoundTrip();
    private final Acquiring acquiring;
    private final Recovery recovery;
    private final Renewing renewing;
    private final Pruning pruning;
    private final Coalescer<LockRequest> acquires;
    private final Coalescer<Releasing.Request> releases;
    private final Listener listener;
    private final WaitingRoom waiting;
    private final AtomicBoolean listeningSoon = new AtomicBoolean();
    private volatile Runnable onTaken = () -> {};

    /** Closes what was opened beside the locks. */
    private final List<Runnable> beside = new CopyOnWriteArrayList<>();

    private PostgresLockStore(DataSource source, DataSource listenOn, Ports ports) {
        this.source = source;
        this.listenOn = listenOn;
        this.ports = ports;
        this.channel = "interlock_" + Long.toHexString(ports.randomId().getMostSignificantBits());
        this.connections = new Connections(source, ports.ticker());
        this.acquiring = new Acquiring(leases, channel, name -> isContended(name), connections::areOwnSessions);
        this.recovery = new Recovery(
                connections,
                new Releasing(channel, name -> isContended(name), connections::areOwnSessions),
                grants,
                ports,
                this::tell);
        this.renewing = new Renewing(connections, leases, grants, recovery::heardOf);
        this.pruning = new Pruning(connections, source);
        this.acquires = new Coalescer<>(LANES, BATCH, trip, this::send);
        this.releases = new Coalescer<>(LANES, BATCH, trip, recovery::release);
        this.listener = new Listener(listenOn, channel, ports, this::heard, this::lookAround);
        this.waiting = new WaitingRoom(
                connections, channel, ports, listener::isUp, leases, this::enterAgain, recovery::heardOf);
        connections.onBroken(recovery::sayAgain);
    }

    /**
     * Opens the store in this database.
     *
     * @param source gives a new connection each time it is asked, not a pooled one: the store keeps those it needs
     * @throws StoreUnavailable if the database cannot be reached, lacks the schema or cannot keep our promises
     */
    public static PostgresLockStore open(DataSource source, Ports ports) {
        return open(source, source, ports);
    }

    /** Opens the store through a pooler in transaction mode; {@code listenOn} leads past it, for LISTEN. */
    public static PostgresLockStore open(DataSource source, DataSource listenOn, Ports ports) {
        PostgresLockStore store = new PostgresLockStore(source, listenOn, ports);
        try {
            Fitness fitness = store.connections.with(Fitness::of);
            store.recovery.keepBeyond(fitness.unwritten());
            if (fitness.pruneDue()) {
                ports.tasks().start("interlock-prune", store::pruneQuietly);
            }
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    @Override
    public Acquisition acquire(Ask ask) {
        LockRequest request = ask(() -> new LockRequest(ask));
        listenSoon();
        return request.acquisition();
    }

    @Override
    public SetAcquisition acquireAll(List<Ask> asks) {
        List<LockRequest> requests = asks.stream().map(LockRequest::new).toList();
        connections.with(connection -> {
            acquiring.all(connection, requests);
            return null;
        });
        listenSoon();
        List<Lock> granted = new ArrayList<>();
        for (LockRequest request : requests) {
            if (request.outcome.equals("STALE")) {
                refresh(request);
                return acquireAll(asks);
            }
            if (request.outcome.equals("GRANTED")) {
                granted.add(request.lock());
                grants.granted(request.lock());
            } else if (!request.outcome.isEmpty()) {
                return new SetAcquisition.NoneGranted(request.acquisition());
            }
        }
        return new SetAcquisition.AllGranted(granted);
    }

    @Override
    public Entry enter(Ask ask, Duration wait, int queueLimit) {
        long deadline = ports.ticker().nanos() + wait.toNanos();
        LockRequest request = ask(() -> new LockRequest(ask, wait, queueLimit, null));
        return switch (request.outcome) {
            case "QUEUED" -> {
                QueuedPlace place = new QueuedPlace(this, ask, request.ticket, deadline);
                listener.start();
                waiting.seat(place, untilEnd(request.lock()));
                yield new Entry.Queued(place, request.lock(), request.position);
            }
            case "FULL" -> new Entry.QueueFull(request.lock(), queueLimit);
            case "LEASE_ENDED" -> throw new LeaseEnded(ask.lease());
            default -> {
                listenSoon();
                yield new Acquisition.Granted(request.lock());
            }
        };
    }

    private LockRequest ask(Supplier<LockRequest> asking) {
        while (true) {
            LockRequest request = asking.get();
            acquires.submit(request);
            if (request.outcome.equals("STALE") && waiting.knows(request.ticket)) {
                request.outcome = "QUEUED";
            }
            if (!request.outcome.equals("STALE")) {
                return request;
            }
            refresh(request);
        }
    }

    /**
     * The server has crashed and says that we have the lock, or wait for it, since before. What we know nothing of we had
     * given back, or were never told of: either way it is nobody's, and another may have the lock already.
     */
    private void refresh(LockRequest stale) {
        Lock known = grants.of(stale.ask);
        if (known != null) {
            boolean lost = !connections
                    .with(connection -> grants.confirm(connection, known::equals, true))
                    .isEmpty();
            if (lost) {
                grants.givenBack(known);
            }
        } else if (stale.ticket == 0) {
            release(stale.lock());
        } else {
            connections.with(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(ABANDON)) {
                    statement.setString(1, stale.ask.name().value());
                    statement.setLong(2, stale.ticket);
                    statement.setObject(3, stale.ask.lease().id());
                    return statement.execute();
                }
            });
        }
    }

    private void tell(Handed handed) {
        waiting.handed(handed);
    }

    /**
     * The lock has come to this place. Word of it may be older than a crash of which we have heard, after which the server
     * does not know it any more, and we have said what we hold without it: then it is looked for.
     *
     * @param seenUnbroken after which crash the server said so
     */
    void handed(QueuedPlace place, Lock lock, long seenUnbroken) {
        grants.handedOver(lock);
        if (recovery.isPast(Math.max(place.ticket(), seenUnbroken))) {
            grants.givenBack(lock);
            waiting.seat(place, Duration.ZERO);
        } else {
            place.arrived(new Acquisition.Granted(lock));
            if (recovery.isPast(place.ticket())) {
                recovery.confirmSoon();
            }
        }
    }

    /** Others of this process wait for it. */
    private boolean isContended(LockName name) {
        return waiting.waitsFor(name);
    }

    private static Duration untilEnd(Lock current) {
        return (current.closedUntil() == null
                        ? current.remaining()
                        : Duration.between(current.seenAt(), current.closedUntil()))
                .plusMillis(2);
    }

    /** After the server lost the place in a crash: the same place, as far as it is still there to be had. */
    private void enterAgain(QueuedPlace place) {
        long left = place.deadline() - ports.ticker().nanos();
        if (left <= 0) {
            waiting.dropped(place.ticket(), Handover.Reason.WAITED_TOO_LONG);
            return;
        }
        LockRequest request = new LockRequest(place.ask(), Duration.ofNanos(left), Integer.MAX_VALUE, place.ticket());
        try {
            acquires.submit(request);
        } catch (StoreUnavailable e) {
            return; // the next look finds it gone again
        }
        if (request.outcome.equals("GRANTED")) {
            waiting.unseat(place);
            place.arrived(new Acquisition.Granted(request.lock()));
        } else if (request.outcome.equals("STALE") && request.ticket == 0) {
            refresh(request); // the next look finds it gone again
        } else if (request.outcome.equals("LEASE_ENDED")) {
            waiting.dropped(place.ticket(), Handover.Reason.LEASE_ENDED);
        }
        if (place.hasLeft()) {
            withdraw(place.ask());
        }
    }

    private void send(List<LockRequest> batch) {
        connections.with(connection -> {
            acquiring.together(connection, batch);
            return null;
        });
        for (LockRequest request : batch) {
            if (request.outcome.equals("GRANTED")) {
                grants.granted(request.lock());
            }
        }
    }

    @Override
    public Renewal renew(Lock lock) {
        return renewing.one(lock);
    }

    @Override
    public List<LeaseRenewal> renew(List<Lease> all) {
        return renewing.all(all);
    }

    @Override
    public Release release(Lock lock) {
        // Before it is sent: what is on its way back must not be said to be held, also when the answer is lost.
        grants.givenBack(lock);
        trip.givesBack(true);
        Releasing.Request request = new Releasing.Request(lock);
        releases.submit(request);
        return release(request);
    }

    private void complete(CompletableFuture<Release> answer, Releasing.Request lost) {
        try {
            answer.complete(release(lost));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private Release release(Releasing.Request answered) {
        return answered.loss == null
                ? new Release.Released()
                : new Lost(answered.loss, find(answered.name).orElse(null));
    }

    @Override
    public CompletableFuture<Release> releaseSoon(Lock lock, Ports.Tasks tasks) {
        grants.givenBack(lock);
        trip.givesBack(false);
        Releasing.Request request = new Releasing.Request(lock);
        CompletableFuture<Release> answer = new CompletableFuture<>();
        releases.submitSoon(request, work -> tasks.ask("interlock-release", work), () -> {
            RuntimeException failure = request.failure();
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (request.loss == null) {
                answer.complete(new Release.Released());
            } else {
                // Finding out whose it is asks the server again, for which others shall not wait.
                tasks.start("interlock-release", () -> complete(answer, request));
            }
        });
        return answer;
    }

    @Override
    public void withdraw(Ask ask) {
        waiting.unseat(ask);
        handOver(WITHDRAW, statement -> {
            statement.setString(1, ask.name().value());
            statement.setObject(2, ask.lease().id());
            statement.setString(3, ask.holder().execution());
            statement.setInt(4, ask.holder().attempt());
            statement.setString(5, channel);
        });
    }

    @Override
    public void end(Lease lease) {
        handOver(END_LEASE, statement -> {
            statement.setObject(1, lease.id());
            statement.setString(2, channel);
        });
        leases.ended(lease.id());
        grants.ended(lease.id());
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    /** A statement that may hand locks to waiters of this process. */
    private void handOver(String sql, Binding binding) {
        List<Handed> handed = connections.with(connection -> {
            List<Handed> all = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binding.to(statement);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        all.add(Handed.from(row));
                    }
                }
            }
            return all;
        });
        handed.forEach(this::tell);
    }

    @Override
    public Forcing force(Force order) {
        return connections.with(connection -> {
            Optional<Lock> before = Records.find(connection, order.name());
            try (PreparedStatement statement = connection.prepareStatement(FORCE)) {
                statement.setString(1, order.name().value());
                statement.setLong(2, order.seenToken());
                statement.setString(3, order.actor());
                statement.setString(4, order.reason());
                statement.setBoolean(5, order.now());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return switch (row.getString("outcome")) {
                        case "RELEASING" -> new Forcing.Releasing(before.orElseThrow(), Rows.instant(row, "until"));
                        case "RELEASED" -> new Forcing.Released(before.orElseThrow());
                        case "MOVED" ->
                            new Forcing.Moved(
                                    Records.find(connection, order.name()).orElseThrow());
                        default -> new Forcing.Free();
                    };
                }
            }
        });
    }

    @Override
    public Optional<Lock> find(LockName name) {
        return connections.with(connection -> Records.find(connection, name));
    }

    @Override
    public Page<Lock> list(LockFilter filter, Page.Request page) {
        return connections.with(connection -> Records.list(connection, filter, page));
    }

    @Override
    public List<Waiter> waiters(LockName name) {
        return connections.with(connection -> Records.waiters(connection, name));
    }

    Optional<Standing> standing(LockName name, long ticket) {
        return connections.with(connection -> Records.standing(connection, name, ticket));
    }

    @Override
    public Page<Past> history(LockName name, Page.Request page) {
        return connections.with(connection -> Records.history(connection, name, page));
    }

    @Override
    public boolean dropWaiter(LockName name, long ticket, String actor) {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(DROP_WAITER)) {
                statement.setString(1, name.value());
                statement.setLong(2, ticket);
                statement.setString(3, actor);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }

    @Override
    public int prune(Duration unusedFor) {
        return pruning.prune(unusedFor);
    }

    private void pruneQuietly() {
        try {
            pruning.prune(KEPT_UNUSED);
        } catch (StoreUnavailable e) {
            // Housekeeping: the next process that starts does it.
        }
    }

    /**
     * Tells the store that it may have forgotten commits, after a restore or a failover that lost some: later tokens
     * are above all that were handed out, and nothing is granted until forgotten leases are over.
     */
    public void recover() {
        connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RAISE_EPOCH)) {
                statement.execute();
                return null;
            }
        });
    }

    /**
     * A second belt around a critical section: runs the work in one transaction that first takes an advisory lock on
     * the name. It excludes others only while the transaction lasts, carries no token and leaves no trace. The work is
     * begun at most once; when it fails, or its connection does, it is rolled back.
     */
    public <T> T withAdvisory(LockName name, Work<T> work) {
        return withAdvisory(name, Connections.PATIENCE, work);
    }

    /**
     * The same with a limit to the wait for others: after that the store is said to be busy, and the work has not been
     * begun.
     */
    public <T> T withAdvisory(LockName name, Duration wait, Work<T> work) {
        return Advisory.around(work, name, wait, source);
    }

    /** What else is kept in this database: executions, and all that they go by. It closes with this store. */
    public WorkStores work() {
        PostgresCatalogue catalogue = new PostgresCatalogue(connections);
        PostgresExecutionStore executions = PostgresExecutionStore.open(this, catalogue, ports);
        beside.add(executions::close);
        return new WorkStores(
                this,
                executions,
                catalogue,
                new PostgresResources(connections),
                new PostgresWorkers(connections, channel),
                new PostgresLogs(connections),
                new PostgresDeadLetters(this, executions),
                new PostgresJanitor(this, executions, catalogue),
                new PostgresGauges(this),
                new PostgresOutbox(connections));
    }

    @Override
    public void onTaken(Runnable hint) {
        onTaken = hint;
    }

    Connections connections() {
        return connections;
    }

    /** Where this process is told of what was taken from its leases. */
    String channel() {
        return channel;
    }

    DataSource listenOn() {
        return listenOn;
    }

    /** Who holds for a moment need not listen; who holds for longer wants to be told when it must stop. */
    void listenSoon() {
        if (listeningSoon.compareAndSet(false, true)) {
            ports.timers().after(HELD_BEFORE_LISTENING, listener::start);
        }
    }

    private void heard(String push) {
        String[] words = push.split(" ", 5);
        switch (words[0]) {
            case "granted" -> {
                long micros = Long.parseLong(words[3]);
                var at = java.time.Instant.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
                waiting.handed(
                        new Handed(Long.parseLong(words[1]), Long.parseLong(words[2]), at, words[4].equals("queued")));
            }
            case "dropped" -> waiting.dropped(Long.parseLong(words[1]), Handover.Reason.CANCELLED);
            default -> onTaken.run();
        }
    }

    /** After the listener was down, anything may have been missed. */
    private void lookAround() {
        waiting.lookIn(Duration.ZERO);
        onTaken.run();
    }

    @Override
    public void close() {
        recovery.close();
        beside.forEach(Runnable::run);
        listener.close();
        waiting.close();
        connections.close();
    }
}

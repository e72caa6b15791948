package dev.interlock.postgres;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.work.CatalogueStore;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Claims;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finished;
import dev.interlock.core.work.Running;
import dev.interlock.core.work.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Executions on PostgreSQL, beside the locks that they take. What needs no decision is one statement for all that travels
 * together; a lock, a phase and their events always change in one transaction.
 */
public final class PostgresExecutionStore implements ExecutionStore {
    private static final String REPORT =
            "UPDATE interlock.execution SET progress = ? WHERE id = ? AND phase = 'RUNNING' AND token = ?";
    private static final String UNTIL_DUE = """
            SELECT (extract(epoch FROM min(due_at) - clock_timestamp()) * 1000000)::bigint
              FROM interlock.execution WHERE turn = 'TIMED'""";
    private static final String CALL = "SELECT pg_notify('interlock_work', 'ready')";

    private static final String CHANNEL = "interlock_work";

    /** So many requests go in one statement. */
    private static final int BATCH = 2000;

    private static final int LANES = 1;
    private static final int TRIES = 50;
    private static final Duration A_MOMENT = Duration.ofMillis(10);

    /** Requests of one caller. */
    private static final class Call extends Coalescer.Request {
        final List<Submitting.Arrival> arrivals;

        Call(List<Submitting.Arrival> arrivals) {
            this.arrivals = arrivals;
        }
    }

    private final PostgresLockStore locks;
    private final Connections connections;
    private final Ports ports;
    private final Declarations declarations;
    private final Ids ids;
    private final Submitting submitting;
    private final Finishing finishing;
    private final Map<Set<String>, Floor> floors = new ConcurrentHashMap<>();
    private final Idleness idleness;
    private final Listener listener;
    private final Coalescer<Call> calls = new Coalescer<>(LANES, BATCH / 10, this::send);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private PostgresExecutionStore(PostgresLockStore locks, CatalogueStore catalogue, Ports ports, long now) {
        this.locks = locks;
        this.connections = locks.connections();
        this.ports = ports;
        this.declarations = new Declarations(catalogue);
        this.ids = new Ids(ports, now);
        this.submitting = new Submitting(declarations);
        this.finishing = new Finishing(declarations);
        this.idleness = new Idleness(locks.channel(), ports, this::tell);
        this.listener = new Listener(locks.listenOn(), CHANNEL, ports, push -> tell(), this::tell);
    }

    /**
     * Opens the executions of the database that has these locks.
     *
     * @param catalogue what is declared there
     */
    public static PostgresExecutionStore open(PostgresLockStore locks, CatalogueStore catalogue, Ports ports) {
        long now = locks.connections().with(Situations::now).toEpochMilli();
        return new PostgresExecutionStore(locks, catalogue, ports, now);
    }

    @Override
    public List<Submission> submit(List<Request> requests) {
        List<Submission> answers = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += BATCH) {
            List<Submitting.Arrival> arrivals = requests.subList(from, Math.min(requests.size(), from + BATCH)).stream()
                    .map(request -> new Submitting.Arrival(ids.next(), request))
                    .toList();
            if (arrivals.size() == 1) {
                calls.submit(new Call(arrivals));
            } else {
                sendAll(arrivals);
            }
            arrivals.forEach(arrival -> answers.add(Objects.requireNonNull(arrival.answer)));
        }
        return answers;
    }

    private void send(List<Call> batch) {
        sendAll(batch.stream().flatMap(call -> call.arrivals.stream()).toList());
    }

    private void sendAll(List<Submitting.Arrival> arrivals) {
        connections.with(connection -> {
            submitting.all(connection, arrivals);
            return null;
        });
    }

    /**
     * Submits inside the caller's own transaction: the execution is there for workers when that commits, and never was if
     * it does not.
     *
     * @param connection to the same database, with a transaction open
     */
    public Submission submit(Connection connection, Request request) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("Submitting inside a transaction needs one: switch autocommit off.");
        }
        Submitting.Arrival arrival = new Submitting.Arrival(ids.next(), request);
        submitting.all(connection, List.of(arrival));
        // Nobody knows when it will commit, and who will be idle then.
        try (PreparedStatement statement = connection.prepareStatement(CALL)) {
            statement.execute();
        }
        return Objects.requireNonNull(arrival.answer);
    }

    @Override
    public Claims claim(Claimant claimant, int most) {
        try {
            Claims found = connections.with(connection -> claimOn(connection, claimant, most));
            if (found.started().isEmpty()) {
                listener.start();
                if (connections.with(idleness::rest)) {
                    found = found.and(connections.with(connection -> claimOn(connection, claimant, most)));
                }
            }
            if (!found.started().isEmpty()) {
                connections.with(connection -> {
                    idleness.rise(connection);
                    return null;
                });
                locks.listenSoon();
            }
            return found;
        } catch (StoreUnavailable e) {
            throw endedLease(e, claimant);
        }
    }

    private static RuntimeException endedLease(StoreUnavailable e, Claimant claimant) {
        if (e.getCause() instanceof SQLException said) {
            UUID id = Failures.endedLease(said);
            for (Lease lease : claimant.leases().values()) {
                if (lease.id().equals(id)) {
                    return new LeaseEnded(lease);
                }
            }
        }
        return e;
    }

    private Claims claimOn(Connection connection, Claimant claimant, int most) throws SQLException {
        Declarations.Kept declared = declarations.last();
        try {
            return claimBy(connection, new Claiming(claimant, declared, locks.channel()), most);
        } catch (SQLException e) {
            if (!Failures.isOutdated(e)) {
                throw e;
            }
            return claimBy(connection, new Claiming(claimant, declarations.current(connection), locks.channel()), most);
        }
    }

    private Claims claimBy(Connection connection, Claiming claiming, int most) throws SQLException {
        Floor floor = floors.computeIfAbsent(claiming.claimant().workflows(), offered -> new Floor(ports.ticker()));
        Floor.Place from = floor.from();
        Claims all = look(connection, claiming, most, floor, from);
        if (!from.equals(Floor.Place.BEGINNING)) {
            all = all.and(look(connection, claiming, most - all.started().size(), floor, Floor.Place.BEGINNING));
        }
        return all;
    }

    private Claims look(Connection connection, Claiming claiming, int most, Floor floor, Floor.Place from)
            throws SQLException {
        if (most <= 0) {
            return Claims.NONE;
        }
        long begun = ports.ticker().nanos();
        Claiming.Found found = claiming.claim(connection, ports.randomId(), most, from);
        floor.found(from, found, begun);
        List<Claimed> started = new ArrayList<>(found.started());
        Admitting admitting = new Admitting(claiming);
        for (Floor.Place undecided : found.undecided()) {
            Claimed admitted = admit(connection, admitting, undecided.id(), ports.randomId());
            if (admitted != null) {
                started.add(admitted);
            }
        }
        return new Claims(started, found.parked() + admitting.parked());
    }

    /** Whoever took the name meanwhile is there to be seen by the second look. */
    private static @Nullable Claimed admit(Connection connection, Admitting admitting, String id, UUID claim)
            throws SQLException {
        try {
            return Transactions.on(connection, inside -> admitting.admit(inside, id, claim));
        } catch (SQLException e) {
            if (!Failures.isNameTaken(e)) {
                throw e;
            }
            return Transactions.on(connection, inside -> admitting.admit(inside, id, claim));
        }
    }

    @Override
    public Optional<Duration> untilDue() {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(UNTIL_DUE);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                long micros = row.getLong(1);
                return row.wasNull()
                        ? Optional.empty()
                        : Optional.of(Duration.of(Math.max(0, micros), ChronoUnit.MICROS));
            }
        });
    }

    @Override
    public List<Running> running(Claimant claimant) {
        return connections.with(connection ->
                new Claiming(claimant, declarations.current(connection), locks.channel()).running(connection));
    }

    @Override
    public List<Transition> finish(List<Finish> finishes) {
        return connections
                .with(connection -> finishing.all(connection, finishes, null))
                .answers();
    }

    @Override
    public Finished finish(List<Finish> finishes, Claimant claimant, int most) {
        Claiming claiming = new Claiming(claimant, declarations.last(), locks.channel());
        Finishing.Heir heir = new Finishing.Heir(claiming, ports.randomId(), most);
        return connections.with(connection -> finishing.all(connection, finishes, heir));
    }

    @Override
    public Cancellation cancel(String execution, String by, String reason) {
        Cancelling cancelling = new Cancelling(by, reason);
        for (int tried = 1; ; tried++) {
            try {
                return connections.with(connection -> {
                    Catalogue catalogue = declarations.current(connection).catalogue();
                    return Transactions.on(connection, one -> cancelling.cancel(one, execution, catalogue));
                });
            } catch (StoreUnavailable e) {
                if (e.kind() != StoreUnavailable.Kind.BUSY || tried == TRIES) {
                    throw e;
                }
                pause();
            }
        }
    }

    private void pause() {
        try {
            ports.pause(ports.jittered(A_MOMENT));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void report(String execution, long token, String progress) {
        connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REPORT)) {
                statement.setString(1, progress);
                statement.setString(2, execution);
                statement.setLong(3, token);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public Optional<Standing> find(String execution) {
        return connections.with(connection -> Standings.find(connection, execution));
    }

    @Override
    public Page<Standing> list(ExecutionFilter filter, Page.Request page) {
        return connections.with(connection -> Standings.list(connection, filter, page));
    }

    @Override
    public Case examine(Candidate candidate) {
        return connections.with(connection -> {
            Catalogue catalogue = declarations.current(connection).catalogue();
            return Situations.read(connection, candidate, catalogue);
        });
    }

    @Override
    public List<Execution> clear(LockName target, String by, String reason) {
        return connections.with(
                connection -> Transactions.on(connection, one -> Clearing.clear(one, target, by, reason)));
    }

    @Override
    public void onWork(Runnable hint) {
        listeners.add(hint);
        listener.start();
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    /** Stops listening; the locks and their connections stay open. */
    @Override
    public void close() {
        listener.close();
    }
}

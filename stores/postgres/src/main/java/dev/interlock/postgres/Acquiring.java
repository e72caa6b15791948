package dev.interlock.postgres;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Terms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The statement that asks for locks: one for all requests that travel together. */
final class Acquiring {
    private static final String ACQUIRE = """
            SELECT * FROM interlock.acquire(?, ?, ?, ?, ?, ?, ?::text[]::jsonb[], ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    /**
     * The plain case, without the function: free locks on one lease that is alive. Whatever it does not answer is asked
     * of the function, which finds out why.
     */
    private static final String ACQUIRE_FREE = """
            INSERT INTO interlock.lock AS k (name, token, held, lease, execution, attempt, owner, "user", acquired_at)
            SELECT q.name, s.floor + 1, true, e.id, q.execution, q.attempt, e.owner, e."user", clock_timestamp()
              FROM interlock.store s, interlock.lease e, %s AS q(name, execution, attempt)
             WHERE s.started_at = pg_postmaster_start_time() AND s.grants_resume_at <= clock_timestamp()
               AND e.id = ? AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
            ON CONFLICT (name) DO UPDATE
               SET token = greatest(k.token, (SELECT epoch::bigint << 40 FROM interlock.store)) + 1, held = true,
                   lease = excluded.lease, ticket = NULL, execution = excluded.execution, attempt = excluded.attempt,
                   owner = excluded.owner, "user" = excluded."user", acquired_at = clock_timestamp(), ends_at = NULL,
                   lock_delay = NULL, cooldown = NULL, hold_reason = NULL, hold_ticket = NULL, forced_by = NULL,
                   forced_reason = NULL, ending = NULL, ended_at = NULL, closed_until = NULL
             WHERE NOT k.held AND NOT k.queued AND (k.closed_until IS NULL OR k.closed_until <= clock_timestamp())
               -- Once more, now that the row is ours: the lease may have ended while we waited for it.
               AND clock_timestamp() < (SELECT expires_at FROM interlock.lease WHERE id = ?)
            RETURNING k.name, k.token, k.acquired_at""";

    private static final String ACQUIRE_ONE_FREE = ACQUIRE_FREE.formatted("(VALUES (?, ?, ?))");
    private static final String ACQUIRE_MANY_FREE = ACQUIRE_FREE.formatted("unnest(?::text[], ?::text[], ?::int[])");

    /**
     * The plain case of a lock that others hold and wait for: a place at the end of its queue. The ticket is drawn while
     * the lock's row is ours, so that tickets follow the order of arrival.
     */
    private static final String JOIN_QUEUE = """
            WITH held AS MATERIALIZED (
                SELECT k.*, h.renewed_at, h.expires_at, e.owner AS my_owner, e."user" AS my_user
                  FROM interlock.lock k, interlock.lease h, interlock.lease e
                 WHERE k.name = ? AND k.held AND k.queued AND (k.ends_at IS NULL OR k.ends_at > clock_timestamp())
                   AND h.id = k.lease AND h.ended_at IS NULL AND h.expires_at > clock_timestamp()
                   AND e.id = ? AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
                   FOR UPDATE OF k
            ), ahead AS MATERIALIZED (
                SELECT coalesce(sum(g.waiters), 0)::int AS living
                  FROM (SELECT w.lease, count(*) AS waiters FROM interlock.waiter w, held
                         WHERE w.name = held.name AND w.until > clock_timestamp() GROUP BY w.lease) g
                  JOIN interlock.lease x ON x.id = g.lease AND x.ended_at IS NULL AND x.expires_at > clock_timestamp()
            ), placed AS (
                INSERT INTO interlock.waiter (name, ticket, lease, execution, attempt, owner, "user", since, until)
                SELECT h.name, nextval('interlock.ticket'), ?, q.execution, q.attempt, h.my_owner, h.my_user,
                       clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond'
                  FROM held h, ahead, (VALUES (?, ?)) AS q(execution, attempt)
                 WHERE ahead.living < ?
                   AND (h.execution, h.attempt, h.owner) IS DISTINCT FROM (q.execution, q.attempt, h.my_owner)
                ON CONFLICT (lease, execution, attempt, name) DO NOTHING
                RETURNING ticket
            )
            SELECT p.ticket AS queue_ticket, ahead.living + 1 AS queue_place, h.name, h.token,
                   CASE WHEN h.forced_by IS NULL THEN 'ACTIVE' ELSE 'RELEASING' END AS status,
                   h.execution, h.attempt, h.owner, h."user", h.lease, h.acquired_at, h.renewed_at,
                   least(h.expires_at, h.ends_at) AS expires_at, h.hold_reason, h.hold_ticket, h.forced_by, h.forced_reason,
                   ahead.living + 1 AS waiting, NULL::timestamptz AS closed_until, clock_timestamp() AS seen_at
              FROM placed p, held h, ahead, set_config('synchronous_commit', 'off', true)""";

    private static final String ACQUIRE_ALL = """
            SELECT * FROM interlock.acquire_all(?, ?, ?, ?, ?, ?, ?::text[]::jsonb[], ?, ?, ?, ?, ?, ?)""";

    /** The order in which rows are locked, so that batches cannot deadlock. */
    private static final Comparator<Request> BY_NAME = Comparator.comparing(request -> request.ask.name());

    /** One request, and its answer once the batch is back. */
    static final class Request extends Coalescer.Request {
        final Ask ask;
        final @Nullable Duration wait;
        final int queueLimit;
        /** The place it had in the queue before a crash of the server lost it. */
        final @Nullable Long formerTicket;

        String outcome = "";

        @Nullable Lock lock;

        long ticket;
        int position;

        Request(Ask ask, @Nullable Duration wait, int queueLimit, @Nullable Long formerTicket) {
            this.ask = ask;
            this.wait = wait;
            this.queueLimit = queueLimit;
            this.formerTicket = formerTicket;
        }

        Request(Ask ask) {
            this(ask, null, 0, null);
        }

        Lock lock() {
            if (lock == null) {
                throw new StoreUnavailable(
                        StoreUnavailable.Kind.BROKEN,
                        "PostgreSQL did not answer the request for '" + ask.name() + "'.");
            }
            return lock;
        }

        Acquisition acquisition() {
            return switch (outcome) {
                case "GRANTED" -> new Acquisition.Granted(lock());
                case "HELD" -> new Acquisition.Held(lock());
                case "COOLING" -> {
                    Instant until = lock().closedUntil();
                    yield until == null ? new Acquisition.Held(lock()) : new Acquisition.Cooling(lock(), until);
                }
                case "LEASE_ENDED" -> throw new LeaseEnded(ask.lease());
                default -> throw new IllegalStateException("unexpected outcome " + outcome);
            };
        }
    }

    private final Leases leases;
    private final String channel;
    private final Predicate<LockName> isContended;
    private final BooleanSupplier ownSessions;

    /**
     * @param isContended whether asking for a free lock would most likely be in vain
     * @param ownSessions whether sessions keep the settings of {@link Connections}, without which a statement outside
     *     of a function may take the rows in any order
     */
    Acquiring(Leases leases, String channel, Predicate<LockName> isContended, BooleanSupplier ownSessions) {
        this.leases = leases;
        this.channel = channel;
        this.isContended = isContended;
        this.ownSessions = ownSessions;
    }

    void together(Connection connection, List<Request> batch) throws SQLException {
        batch.sort(BY_NAME);
        List<Request> free = ownSessions.getAsBoolean() ? perhapsFree(batch) : List.of();
        if (!free.isEmpty()) {
            acquireFree(connection, free);
        }
        if (batch.size() == 1
                && ownSessions.getAsBoolean()
                && isContended.test(batch.getFirst().ask.name())) {
            joinQueue(connection, batch.getFirst());
        }
        List<Request> rest =
                batch.stream().filter(request -> request.outcome.isEmpty()).toList();
        if (!rest.isEmpty()) {
            askFunction(connection, rest);
        }
    }

    /** Those that the plain statement can grant: the first for each name, all on one lease. */
    private List<Request> perhapsFree(List<Request> sorted) {
        List<Request> free = new ArrayList<>(sorted.size());
        for (int i = 0; i < sorted.size(); i++) {
            Request request = sorted.get(i);
            boolean sameLease = free.isEmpty() || free.getFirst().ask.lease().equals(request.ask.lease());
            if (isFirst(sorted, i) && sameLease && isPlain(request) && !isContended.test(request.ask.name())) {
                free.add(request);
            }
        }
        return free;
    }

    private boolean isPlain(Request request) {
        Ask ask = request.ask;
        return request.formerTicket == null
                && ask.terms().equals(Terms.PLAIN)
                && ask.holder().owner().equals(ask.lease().owner())
                && ask.holder().user().equals(ask.lease().user())
                && leases.isKnown(ask.lease());
    }

    private void joinQueue(Connection connection, Request request) throws SQLException {
        Ask ask = request.ask;
        if (request.wait == null || !isPlain(request)) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(JOIN_QUEUE)) {
            statement.setString(1, ask.name().value());
            statement.setObject(2, ask.lease().id());
            statement.setObject(3, ask.lease().id());
            statement.setLong(4, micros(request.wait));
            statement.setString(5, ask.holder().execution());
            statement.setInt(6, ask.holder().attempt());
            statement.setInt(7, request.queueLimit);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    answer(request, "QUEUED", row);
                }
            }
        }
    }

    private void acquireFree(Connection connection, List<Request> sorted) throws SQLException {
        boolean one = sorted.size() == 1;
        try (PreparedStatement statement = connection.prepareStatement(one ? ACQUIRE_ONE_FREE : ACQUIRE_MANY_FREE)) {
            if (one) {
                Ask ask = sorted.getFirst().ask;
                statement.setString(1, ask.name().value());
                statement.setString(2, ask.holder().execution());
                statement.setInt(3, ask.holder().attempt());
            } else {
                Parameters.text(
                        statement, 1, sorted, request -> request.ask.name().value());
                Parameters.text(
                        statement, 2, sorted, request -> request.ask.holder().execution());
                Parameters.ints(
                        statement, 3, sorted, request -> request.ask.holder().attempt());
            }
            UUID lease = sorted.getFirst().ask.lease().id();
            statement.setObject(4, lease);
            statement.setObject(5, lease);
            try (ResultSet row = statement.executeQuery()) {
                Iterator<Request> inOrder = sorted.iterator();
                while (row.next()) {
                    Request request = named(row.getString(1), inOrder);
                    request.outcome = "GRANTED";
                    request.lock = new Granted(row.getLong(2), lease, Rows.instant(row, "acquired_at"), null, 0)
                            .lock(request.ask, leases);
                }
            }
        }
    }

    /** The rows come in the order of the requests, some of which have none. */
    private static Request named(String name, Iterator<Request> inOrder) {
        while (inOrder.hasNext()) {
            Request request = inOrder.next();
            if (request.ask.name().value().equals(name)) {
                return request;
            }
        }
        throw new StoreUnavailable(
                StoreUnavailable.Kind.BROKEN, "PostgreSQL granted '" + name + "', which was not asked for.");
    }

    private void askFunction(Connection connection, List<Request> batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ACQUIRE)) {
            int at = bindAsks(connection, statement, batch);
            statement.setArray(at++, connection.createArrayOf("boolean", firsts(batch)));
            bind(connection, statement, at++, "bigint", batch, r -> r.wait == null ? null : micros(r.wait));
            bind(connection, statement, at++, "int", batch, r -> r.queueLimit);
            bind(connection, statement, at++, "bigint", batch, r -> r.formerTicket);
            bindLeases(connection, statement, at, batch);
            read(statement, batch);
        }
    }

    /** All or none; whether they were granted shows in the outcome of each. */
    void all(Connection connection, List<Request> batch) throws SQLException {
        List<Request> sorted = new ArrayList<>(batch);
        sorted.sort(BY_NAME);
        try (PreparedStatement statement = connection.prepareStatement(ACQUIRE_ALL)) {
            bindLeases(connection, statement, bindAsks(connection, statement, sorted), sorted);
            read(statement, sorted);
        }
    }

    /** Whether a request is the first for its name in the sorted batch; a statement grants a name only once. */
    private static Boolean[] firsts(List<Request> batch) {
        Boolean[] first = new Boolean[batch.size()];
        for (int i = 0; i < first.length; i++) {
            first[i] = isFirst(batch, i);
        }
        return first;
    }

    private static boolean isFirst(List<Request> sorted, int i) {
        return i == 0 || !sorted.get(i).ask.name().equals(sorted.get(i - 1).ask.name());
    }

    private static int bindAsks(Connection connection, PreparedStatement statement, List<Request> batch)
            throws SQLException {
        bind(connection, statement, 1, "text", batch, r -> r.ask.name().value());
        bind(connection, statement, 2, "uuid", batch, r -> r.ask.lease().id());
        bind(connection, statement, 3, "text", batch, r -> r.ask.holder().execution());
        bind(connection, statement, 4, "int", batch, r -> r.ask.holder().attempt());
        bind(connection, statement, 5, "text", batch, r -> r.ask.holder().owner());
        bind(connection, statement, 6, "text", batch, r -> r.ask.holder().user());
        if (batch.stream().allMatch(r -> r.ask.terms().equals(Terms.PLAIN))) {
            statement.setNull(7, Types.ARRAY);
        } else {
            bind(connection, statement, 7, "text", batch, r -> json(r.ask.terms()));
        }
        return 8;
    }

    private void bindLeases(Connection connection, PreparedStatement statement, int at, List<Request> batch)
            throws SQLException {
        Map<UUID, Lease> known = new LinkedHashMap<>();
        Map<UUID, Lease> open = new LinkedHashMap<>();
        for (Request request : batch) {
            Lease lease = request.ask.lease();
            (leases.isKnown(lease) ? known : open).put(lease.id(), lease);
        }
        List<Lease> opened = List.copyOf(open.values());
        statement.setArray(at, connection.createArrayOf("uuid", known.keySet().toArray()));
        bind(connection, statement, at + 1, "uuid", opened, Lease::id);
        bind(connection, statement, at + 2, "text", opened, Lease::owner);
        bind(connection, statement, at + 3, "text", opened, Lease::user);
        bind(connection, statement, at + 4, "bigint", opened, lease -> micros(lease.duration()));
        statement.setString(at + 5, channel);
    }

    private static <T> void bind(
            Connection connection,
            PreparedStatement statement,
            int at,
            String type,
            List<T> items,
            Function<T, @Nullable Object> value)
            throws SQLException {
        @Nullable Object[] values = new @Nullable Object[items.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(items.get(i));
        }
        statement.setArray(at, connection.createArrayOf(type, values));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    /** Null for plain terms, which the store need not look at. */
    private static @Nullable String json(Terms terms) {
        if (terms.equals(Terms.PLAIN)) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        if (!terms.lockDelay().isZero()) {
            fields.put("lockDelay", terms.lockDelay().toString());
        }
        if (!terms.cooldown().isZero()) {
            fields.put("cooldown", terms.cooldown().toString());
        }
        if (terms.maxHold() != null) {
            fields.put("maxHold", terms.maxHold().toString());
        }
        if (terms.maintenance() != null) {
            fields.put("reason", terms.maintenance().reason());
            if (terms.maintenance().ticket() != null) {
                fields.put("ticket", terms.maintenance().ticket());
            }
        }
        return Json.object(fields);
    }

    private void read(PreparedStatement statement, List<Request> batch) throws SQLException {
        Map<String, Granted> grantedByName = new HashMap<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String outcome = row.getString("outcome");
                int n = row.getInt("n");
                if (outcome.equals("LEASE")) {
                    leases.seen(
                            row.getObject("lease", UUID.class),
                            new Leases.Times(Rows.instant(row, "renewed_at"), Rows.instant(row, "expires_at")));
                } else if (n == 0) {
                    grantedByName.put(
                            row.getString("name"),
                            new Granted(
                                    row.getLong("token"),
                                    row.getObject("lease", UUID.class),
                                    Rows.instant(row, "acquired_at"),
                                    Rows.instantOrNull(row, "expires_at"),
                                    0));
                } else {
                    answer(batch.get(n - 1), outcome, row);
                }
            }
        }
        if (!grantedByName.isEmpty()) {
            for (Request request : batch) {
                if (request.outcome.isEmpty()) {
                    Granted granted = grantedByName.remove(request.ask.name().value());
                    if (granted != null) {
                        request.outcome = "GRANTED";
                        request.lock = granted.lock(request.ask, leases);
                    }
                }
            }
        }
    }

    private void answer(Request request, String outcome, ResultSet row) throws SQLException {
        request.outcome = outcome;
        if (outcome.equals("LEASE_ENDED")) {
            leases.ended(request.ask.lease().id());
            return;
        }
        request.lock = Rows.lock(row);
        request.ticket = row.getLong("queue_ticket");
        request.position = row.getInt("queue_place");
    }

    /** What a plain grant adds to what the asker knows. */
    record Granted(
            long token,
            UUID lease,
            Instant acquiredAt,
            @Nullable Instant endsAt,
            int waiting) {
        Lock lock(Ask ask, Leases leases) {
            Leases.Times times = leases.times(lease);
            Instant renewedAt = times == null ? acquiredAt : times.renewedAt();
            Instant leaseEnd = times == null ? acquiredAt.plus(ask.lease().duration()) : times.expiresAt();
            Instant expiresAt = endsAt != null && endsAt.isBefore(leaseEnd) ? endsAt : leaseEnd;
            Lock.Grant grant = new Lock.Grant(
                    ask.holder(),
                    lease,
                    acquiredAt,
                    renewedAt,
                    expiresAt,
                    ask.terms().maintenance(),
                    null);
            Instant seenAt = renewedAt.isAfter(acquiredAt) ? renewedAt : acquiredAt;
            return new Lock(ask.name(), token, Lock.Status.ACTIVE, grant, waiting, null, seenAt);
        }
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The statement that gives locks back: one for all releases that travel together. */
final class Releasing {
    private static final String RELEASE = "SELECT * FROM interlock.release(?, ?, ?, ?, ?)";

    /** The plain case, without the function. Unless it releases all it was asked to, the function finds out why. */
    private static final String RELEASE_PLAIN = """
            WITH freed AS (
                UPDATE interlock.lock k
                   SET held = false, ending = 'RELEASED', ended_at = clock_timestamp(), closed_until = clock_timestamp() + k.cooldown,
                       signpost = CASE WHEN k.signpost >> 6 = k.token >> 6 THEN k.signpost ELSE k.token END
                  FROM %s AS u(name, token)
                 WHERE k.name = u.name AND k.token = u.token AND k.lease = ? AND k.held AND NOT k.queued
                   AND k.forced_by IS NULL AND k.ends_at IS NULL
                   AND clock_timestamp() < (SELECT expires_at FROM interlock.lease WHERE id = ? AND ended_at IS NULL)
                RETURNING k.name, k.token, k.execution, k.attempt, k.owner, k."user", k.acquired_at, k.ended_at,
                          k.signpost = k.token AS first
            )
            INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, filed)
            SELECT f.name, f.token, 'RELEASED', f.execution, f.attempt, f.owner, f."user", f.acquired_at, f.ended_at, f.first
              FROM freed f WHERE (SELECT set_config('synchronous_commit', 'off', true)) = 'off'""";

    private static final String RELEASE_ONE_PLAIN = RELEASE_PLAIN.formatted("(VALUES (?, ?))");
    private static final String RELEASE_MANY_PLAIN = RELEASE_PLAIN.formatted("unnest(?::text[], ?::bigint[])");

    /**
     * The plain case of a lock that somebody waits for: it goes to the head of the queue. Waiters are guarded by the
     * lock's row, which is taken first; one that came or went since the statement began leaves it without an answer, or
     * with a queue that may turn out to be empty, and never with a waiter that is overlooked. For whatever it does not
     * answer, the function finds out why.
     *
     * <p>It is not waited for on disk, since the place and its token were: see {@code interlock.remember}.
     */
    private static final String HAND_OVER = """
            WITH mine AS MATERIALIZED (
                SELECT k.name, k.token, k.execution, k.attempt, k.owner, k."user", k.acquired_at, s.epoch::bigint << 40 AS base,
                       CASE WHEN k.signpost >> 6 = k.token >> 6 THEN k.signpost ELSE k.token END AS signpost
                  FROM interlock.lock k, interlock.store s
                 WHERE k.name = ? AND k.token = ? AND k.lease = ? AND k.held AND k.queued AND k.cooldown IS NULL
                   AND k.forced_by IS NULL AND k.ends_at IS NULL
                   AND clock_timestamp() < (SELECT expires_at FROM interlock.lease WHERE id = ? AND ended_at IS NULL)
                   AND s.started_at = pg_postmaster_start_time() AND s.grants_resume_at <= clock_timestamp()
                   FOR UPDATE OF k
            ), head AS (
                DELETE FROM interlock.waiter w USING mine, interlock.lease e
                 WHERE w.name = mine.name AND w.terms IS NULL AND w.until > clock_timestamp()
                   AND w.token > greatest(mine.token, mine.base)
                   AND w.ticket = (SELECT f.ticket FROM interlock.waiter f WHERE f.name = mine.name ORDER BY f.ticket LIMIT 1)
                   AND e.id = w.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
                RETURNING w.name, w.ticket, w.token, w.lease, w.execution, w.attempt, w.owner, w."user", e.channel, mine.signpost,
                          EXISTS (SELECT FROM interlock.waiter n WHERE n.name = w.name AND n.ticket > w.ticket) AS followed
            ), past AS (
                INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, filed)
                SELECT m.name, m.token, 'RELEASED', m.execution, m.attempt, m.owner, m."user", m.acquired_at, clock_timestamp(),
                       m.signpost = m.token
                  FROM mine m, head
            )
            UPDATE interlock.lock k
               SET token = h.token, signpost = h.signpost, lease = h.lease, ticket = h.ticket, execution = h.execution,
                   attempt = h.attempt, owner = h.owner, "user" = h."user", acquired_at = clock_timestamp(), lock_delay = NULL,
                   hold_reason = NULL, hold_ticket = NULL
              FROM head h, set_config('synchronous_commit', 'off', true)
             WHERE k.name = h.name
            RETURNING k.ticket, k.token, k.acquired_at, h.followed AS queued,
                      CASE WHEN h.channel <> ?
                           THEN pg_notify(h.channel, 'granted ' || k.ticket || ' ' || k.token || ' '
                                                     || (extract(epoch FROM k.acquired_at) * 1000000)::bigint
                                                     || CASE WHEN h.followed THEN ' queued' ELSE ' last' END)::text
                           ELSE 'here' END AS told""";

    static final class Request extends Coalescer.Request {
        final LockName name;
        final long token;
        final UUID lease;
        /** Somebody waited for it when it was granted. */
        final boolean queued;

        @Nullable Loss loss;

        Request(Lock lock) {
            this(lock.name(), lock.token(), lock.grant().lease(), lock.waiting() > 0);
        }

        /** Once more, after a crash: whether anybody waits is found out. */
        Request(LockName name, long token, UUID lease) {
            this(name, token, lease, false);
        }

        private Request(LockName name, long token, UUID lease, boolean queued) {
            this.name = name;
            this.token = token;
            this.lease = lease;
            this.queued = queued;
        }
    }

    private final String channel;
    private final Predicate<LockName> isContended;
    private final BooleanSupplier ownSessions;

    /**
     * @param isContended whether somebody of this process waits for the lock
     * @param ownSessions as for {@link Acquiring}
     */
    Releasing(String channel, Predicate<LockName> isContended, BooleanSupplier ownSessions) {
        this.channel = channel;
        this.isContended = isContended;
        this.ownSessions = ownSessions;
    }

    /** Answers with what went to waiters of this process. */
    List<Handed> together(Connection connection, List<Request> batch) throws SQLException {
        batch.sort((one, other) -> one.name.compareTo(other.name));
        List<Request> plain = new ArrayList<>(batch.size());
        List<Request> rest = new ArrayList<>();
        for (Request request : batch) {
            (isPlain(request, batch.getFirst().lease) ? plain : rest).add(request);
        }
        if (batch.size() == 1 && !rest.isEmpty() && ownSessions.getAsBoolean()) {
            List<Handed> handed = handOver(connection, rest.getFirst());
            if (handed != null) {
                return handed;
            }
        }
        if (!plain.isEmpty() && !releasePlain(connection, plain)) {
            rest = batch;
        }
        return rest.isEmpty() ? List.of() : askFunction(connection, rest);
    }

    private boolean isPlain(Request request, UUID lease) {
        return ownSessions.getAsBoolean() && request.lease.equals(lease) && !isContended(request);
    }

    private boolean isContended(Request request) {
        return request.queued || isContended.test(request.name);
    }

    private static boolean releasePlain(Connection connection, List<Request> sorted) throws SQLException {
        boolean one = sorted.size() == 1;
        try (PreparedStatement statement = connection.prepareStatement(one ? RELEASE_ONE_PLAIN : RELEASE_MANY_PLAIN)) {
            UUID lease = sorted.getFirst().lease;
            if (one) {
                statement.setString(1, sorted.getFirst().name.value());
                statement.setLong(2, sorted.getFirst().token);
            } else {
                Parameters.text(statement, 1, sorted, request -> request.name.value());
                Parameters.longs(statement, 2, sorted, request -> request.token);
            }
            statement.setObject(3, lease);
            statement.setObject(4, lease);
            return statement.executeUpdate() == sorted.size();
        }
    }

    private @Nullable List<Handed> handOver(Connection connection, Request request) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HAND_OVER)) {
            statement.setString(1, request.name.value());
            statement.setLong(2, request.token);
            statement.setObject(3, request.lease);
            statement.setObject(4, request.lease);
            statement.setString(5, channel);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                return "here".equals(row.getString("told")) ? List.of(Handed.from(row)) : List.of();
            }
        }
    }

    /** A repeat, of what the plain statement has released already, is harmless. */
    private List<Handed> askFunction(Connection connection, List<Request> batch) throws SQLException {
        List<Handed> handed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(RELEASE)) {
            Parameters.text(statement, 1, batch, request -> request.name.value());
            Parameters.longs(statement, 2, batch, request -> request.token);
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "uuid", batch.stream().map(r -> r.lease).toArray()));
            statement.setString(4, channel);
            statement.setBoolean(5, batch.stream().anyMatch(this::isContended));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    read(row, batch, handed);
                }
            }
        }
        return handed;
    }

    private static void read(ResultSet row, List<Request> batch, List<Handed> handed) throws SQLException {
        String outcome = row.getString("outcome");
        if (outcome.equals("HANDED")) {
            handed.add(Handed.from(row));
        } else if (!outcome.equals("RELEASED")) {
            String name = row.getString("name");
            long token = row.getLong("token");
            Loss loss = Rows.loss(outcome, row.getString("actor"), row.getString("reason"));
            for (Request request : batch) {
                if (request.token == token && request.name.value().equals(name)) {
                    request.loss = loss;
                }
            }
        }
    }
}

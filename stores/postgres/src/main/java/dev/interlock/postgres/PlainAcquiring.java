package dev.interlock.postgres;

import dev.interlock.core.Ask;
import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The plain cases of asking for locks, as statements of their own: they cost less than the function. Whatever they do not
 * answer is asked of the function, which finds out why.
 */
final class PlainAcquiring {
    /**
     * Free locks on one lease that is alive. What the row that is found has to be compared with comes along in the row
     * proposed, which costs less than to look it up again: the first token of the epoch as {@code promised}, and in
     * {@code ended_at}, which means nothing while a lock is held, the instant at which the lease runs out. That one is
     * looked at once more when the row is ours: the lease may have ended while we waited for it.
     */
    private static final String ACQUIRE_FREE = """
            INSERT INTO interlock.lock AS k (name, token, held, lease, execution, attempt, owner, "user", acquired_at, promised, ended_at)
            SELECT q.name, s.floor + 1, true, e.id, q.execution, q.attempt, e.owner, e."user", clock_timestamp(),
                   s.epoch::bigint << 40, e.expires_at
              FROM interlock.store s, interlock.lease e, %s AS q(name, execution, attempt)
             WHERE s.started_at = pg_postmaster_start_time() AND s.grants_resume_at <= clock_timestamp()
               AND e.id = ? AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
            ON CONFLICT (name) DO UPDATE
               SET token = greatest(k.token, k.promised, excluded.promised) + 1, held = true,
                   lease = excluded.lease, ticket = NULL, execution = excluded.execution, attempt = excluded.attempt,
                   owner = excluded.owner, "user" = excluded."user", acquired_at = clock_timestamp(), ends_at = NULL,
                   lock_delay = NULL, cooldown = NULL, hold_reason = NULL, hold_ticket = NULL, forced_by = NULL,
                   forced_reason = NULL, ending = NULL, closed_until = NULL
             WHERE NOT k.held AND NOT k.queued AND (k.closed_until IS NULL OR k.closed_until <= clock_timestamp())
               AND clock_timestamp() < excluded.ended_at
            RETURNING k.name, k.token, k.acquired_at""";

    private static final String ACQUIRE_ONE_FREE = ACQUIRE_FREE.formatted("(VALUES (?, ?, ?))");
    private static final String ACQUIRE_MANY_FREE = ACQUIRE_FREE.formatted("unnest(?::text[], ?::text[], ?::int[])");

    /**
     * For a lock that others hold and wait for: a place at the end of its queue. The ticket is drawn while
     * the lock's row is ours, so that tickets follow the order of arrival, and the place is waited for on disk, so that
     * handing over need not be.
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
                INSERT INTO interlock.waiter (name, ticket, lease, execution, attempt, owner, "user", since, until, token)
                SELECT h.name, nextval('interlock.ticket'), ?, q.execution, q.attempt, h.my_owner, h.my_user,
                       clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond', greatest(h.token, h.promised) + 1
                  FROM held h, ahead, (VALUES (?, ?)) AS q(execution, attempt)
                 WHERE ahead.living < ?
                   AND (h.execution, h.attempt, h.owner) IS DISTINCT FROM (q.execution, q.attempt, h.my_owner)
                ON CONFLICT (lease, execution, attempt, name) DO NOTHING
                RETURNING name, ticket, token
            ), promise AS (
                UPDATE interlock.lock k SET promised = p.token FROM placed p WHERE k.name = p.name
            )
            SELECT p.ticket AS queue_ticket, ahead.living + 1 AS queue_place, h.name, h.token,
                   CASE WHEN h.forced_by IS NULL THEN 'ACTIVE' ELSE 'RELEASING' END AS status,
                   h.execution, h.attempt, h.owner, h."user", h.lease, h.acquired_at, h.renewed_at,
                   least(h.expires_at, h.ends_at) AS expires_at, h.hold_reason, h.hold_ticket, h.forced_by, h.forced_reason,
                   ahead.living + 1 AS waiting, NULL::timestamptz AS closed_until, clock_timestamp() AS seen_at
              FROM placed p, held h, ahead""";

    private final Leases leases;
    private final Predicate<LockName> isContended;

    /**
     * @param isContended whether asking for a free lock would most likely be in vain
     */
    PlainAcquiring(Leases leases, Predicate<LockName> isContended) {
        this.leases = leases;
        this.isContended = isContended;
    }

    /** Answers those of a sorted batch that it can. */
    void together(Connection connection, List<LockRequest> sorted) throws SQLException {
        List<LockRequest> free = perhapsFree(sorted);
        if (!free.isEmpty()) {
            acquireFree(connection, free);
        }
        if (sorted.size() == 1 && isContended.test(sorted.getFirst().ask.name())) {
            joinQueue(connection, sorted.getFirst());
        }
    }

    /** Those that the plain statement can grant: the first for each name, all on one lease. */
    private List<LockRequest> perhapsFree(List<LockRequest> sorted) {
        List<LockRequest> free = new ArrayList<>(sorted.size());
        for (int i = 0; i < sorted.size(); i++) {
            LockRequest request = sorted.get(i);
            boolean sameLease = free.isEmpty() || free.getFirst().ask.lease().equals(request.ask.lease());
            if (Acquiring.isFirst(sorted, i)
                    && sameLease
                    && isPlain(request)
                    && !isContended.test(request.ask.name())) {
                free.add(request);
            }
        }
        return free;
    }

    private boolean isPlain(LockRequest request) {
        Ask ask = request.ask;
        return request.formerTicket == null
                && ask.terms().isPlain()
                && ask.holder().owner().equals(ask.lease().owner())
                && ask.holder().user().equals(ask.lease().user())
                && leases.isKnown(ask.lease());
    }

    private void joinQueue(Connection connection, LockRequest request) throws SQLException {
        Ask ask = request.ask;
        if (request.wait == null || !isPlain(request)) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(JOIN_QUEUE)) {
            statement.setString(1, ask.name().value());
            statement.setObject(2, ask.lease().id());
            statement.setObject(3, ask.lease().id());
            statement.setLong(4, Claiming.micros(request.wait));
            statement.setString(5, ask.holder().execution());
            statement.setInt(6, ask.holder().attempt());
            statement.setInt(7, request.queueLimit);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    request.answered("QUEUED", row, leases);
                }
            }
        }
    }

    private void acquireFree(Connection connection, List<LockRequest> sorted) throws SQLException {
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
            try (ResultSet row = statement.executeQuery()) {
                Iterator<LockRequest> inOrder = sorted.iterator();
                while (row.next()) {
                    LockRequest request = named(row.getString(1), inOrder);
                    request.granted(
                            new Granted(row.getLong(2), lease, Rows.instant(row, "acquired_at"), null, 0), leases);
                }
            }
        }
    }

    /** The rows come in the order of the requests, some of which have none. */
    private static LockRequest named(String name, Iterator<LockRequest> inOrder) {
        while (inOrder.hasNext()) {
            LockRequest request = inOrder.next();
            if (request.ask.name().value().equals(name)) {
                return request;
            }
        }
        throw new StoreUnavailable(
                StoreUnavailable.Kind.BROKEN, "PostgreSQL granted '" + name + "', which was not asked for.");
    }
}

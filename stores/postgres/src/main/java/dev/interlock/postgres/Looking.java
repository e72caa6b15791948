package dev.interlock.postgres;

import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What there is to put right, found without changing anything. */
final class Looking {
    private static final String LOOK = """
            WITH c AS MATERIALIZED (
                SELECT clock_timestamp() AS now, ?::interval AS grace, ?::interval AS lock_lost, ?::interval AS running_long, ?::int AS most
            ), running AS MATERIALIZED (
                SELECT x.id, x.target, x.attempt, x.token, x.owner, x.started_at, x.timeout, x.cancelled_by, e.duration,
                       interlock.over_at(x.token, l, e) AS over
                  FROM interlock.execution x
                  LEFT JOIN interlock.lock l ON l.name = x.target
                  LEFT JOIN interlock.lease e ON e.id = l.lease
                 WHERE x.phase = 'RUNNING'
            ), found AS (
                (SELECT 'EXPIRED_ATTEMPT' AS kind, r.id AS execution, r.target, r.attempt, r.token, r.owner, r.over AS at, NULL::bigint AS number
                   FROM c, running r WHERE r.over + c.grace <= c.now ORDER BY r.over, r.id LIMIT (SELECT most FROM c))
                UNION ALL
                (SELECT 'LOCK_STATE_LOST', r.id, r.target, r.attempt, r.token, r.owner, NULL, NULL
                   FROM c, running r
                  WHERE r.over IS NULL AND greatest(r.started_at, pg_postmaster_start_time()) + c.lock_lost <= c.now
                  ORDER BY r.id LIMIT (SELECT most FROM c))
                UNION ALL
                (SELECT 'OVERDUE', r.id, r.target, r.attempt, r.token, r.owner, NULL, (extract(epoch FROM r.timeout) * 1000000)::bigint
                   FROM c, running r
                  WHERE r.over > c.now AND r.started_at + r.timeout + c.grace <= c.now AND r.cancelled_by IS NULL
                  ORDER BY r.id LIMIT (SELECT most FROM c))
                UNION ALL
                (SELECT 'RUNNING_LONG', r.id, r.target, r.attempt, r.token, r.owner, r.started_at, NULL
                   FROM c, running r
                  WHERE r.over > c.now AND r.started_at + c.running_long <= c.now
                    AND NOT EXISTS (SELECT FROM interlock.alert a
                                     WHERE a.execution = r.id AND a.attempt = r.attempt AND a.kind = 'RUNNING_LONG')
                  ORDER BY r.id LIMIT (SELECT most FROM c))
                UNION ALL
                (SELECT 'GONE_WORKER', NULL, NULL, NULL, NULL, w.id, NULL, NULL
                   FROM c, interlock.worker w
                  WHERE NOT EXISTS (SELECT FROM interlock.lease e WHERE e.id = w.lease AND e.ended_at IS NULL AND e.expires_at + c.grace > c.now)
                  ORDER BY w.id LIMIT (SELECT most FROM c))
            ), census AS (
                SELECT c.now, count(r.id)::int AS running, (count(r.id) FILTER (WHERE r.over <= c.now))::int AS expired,
                       min(r.over) FILTER (WHERE r.over <= c.now) AS first_expiry,
                       coalesce((extract(epoch FROM max(r.duration)) * 1000000)::bigint, 0) AS longest_micros
                  FROM c LEFT JOIN running r ON true GROUP BY c.now
            )
            SELECT s.*, pg_postmaster_start_time() AS server_start,
                   (SELECT nullif(grants_resume_at, '-infinity') FROM interlock.store) AS resume_at, f.*
              FROM census s LEFT JOIN found f ON true""";

    private static final String INSPECT = """
            WITH c AS MATERIALIZED (
                SELECT clock_timestamp() AS now, ?::interval AS dead_told, ?::interval AS dead_kept, ?::interval AS back, ?::int AS most
            ), tenure AS (
                SELECT h.name, h.token, h.began_at, h.ended_at, lag(h.token) OVER line AS former,
                       lag(h.began_at) OVER line AS former_began, lag(h.ended_at) OVER line AS former_ended,
                       max(h.ended_at) OVER (PARTITION BY h.name) AS last_ended
                  FROM interlock.history h
                 WHERE h.ended_at > (SELECT now - back FROM c) AND h.event IN ('RELEASED', 'EXPIRED', 'FORCED', 'HELD_TOO_LONG')
                WINDOW line AS (PARTITION BY h.name ORDER BY h.token)
            ), remarkable AS MATERIALIZED (
                SELECT * FROM tenure t
                 WHERE t.former IS NULL OR t.ended_at = t.last_ended OR t.former_ended > t.began_at + interval '1 second'
            )
            (SELECT 'ORPHANED_LOCK' AS kind, l.execution, l.name AS target, NULL::int AS attempt, l.token, l.owner, NULL::timestamptz AS at,
                    NULL::timestamptz AS until, NULL::bigint AS number
               FROM c, interlock.lock l
               JOIN interlock.lease e ON e.id = l.lease
               JOIN interlock.execution x ON x.id = l.execution
              WHERE l.held AND l.forced_by IS NULL AND l.hold_reason IS NULL AND e.ended_at IS NULL AND e.expires_at > c.now
                AND NOT (x.phase = 'RUNNING' AND x.token = l.token)
              ORDER BY l.name LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'STRANDED', h.id, t.target, NULL, NULL, NULL, NULL, NULL, NULL
               FROM (SELECT DISTINCT x.target FROM interlock.execution x WHERE x.phase = 'PENDING') t
              CROSS JOIN LATERAL (SELECT x.id, x.turn FROM interlock.execution x
                                   WHERE x.target = t.target AND x.phase = 'PENDING' ORDER BY x.submitted_at, x.id LIMIT 1) h
              WHERE h.turn = 'PARKED' AND NOT EXISTS (SELECT FROM interlock.execution r WHERE r.target = t.target AND r.phase = 'RUNNING')
              ORDER BY t.target LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'GONE_WAITERS', NULL, w.name, NULL, NULL, NULL, NULL, NULL, count(*)
               FROM c, interlock.waiter w LEFT JOIN interlock.lease e ON e.id = w.lease
              WHERE e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= c.now
              GROUP BY w.name ORDER BY w.name LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'RESOURCE_EXPIRED', NULL, r.target, NULL, NULL, NULL, r.expires_at, NULL, p.period
               FROM c, interlock.resource r
               JOIN interlock.workflow w ON w.lifecycle = r.lifecycle AND w.name = 'JANITOR_DESTROY'
              CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM c.now - r.expires_at) / 3600)::bigint AS period OFFSET 0) p
              WHERE r.expires_at <= c.now AND interlock.may_expire(r, w)
                AND NOT EXISTS (SELECT FROM interlock.execution x WHERE x.idempotency_key = interlock.expiry_key(r.target, r.expires_at, p.period))
              ORDER BY r.expires_at LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'DEAD_LETTER_OLD', x.id, x.target, NULL, NULL, NULL, x.dead_at, NULL, NULL
               FROM c, interlock.execution x
              WHERE x.dead_at <= c.now - c.dead_told AND x.dead_at > c.now - c.dead_kept
                AND NOT EXISTS (SELECT FROM interlock.alert a WHERE a.execution = x.id AND a.attempt = 0 AND a.kind = 'DEAD_LETTER_OLD')
              ORDER BY x.dead_at LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'DEAD_LETTER_SPENT', x.id, x.target, NULL, NULL, NULL, x.dead_at, NULL, NULL
               FROM c, interlock.execution x WHERE x.dead_at <= c.now - c.dead_kept
              ORDER BY x.dead_at LIMIT (SELECT most FROM c))
            UNION ALL
            (SELECT 'OVERLAPPING_GRANTS', NULL, o.name, NULL, o.token, NULL, o.since, o.until, o.later
               FROM (SELECT t.name, t.former AS token, t.token AS later, greatest(t.former_began, t.began_at) AS since,
                            least(t.former_ended, t.ended_at) AS until
                       FROM remarkable t WHERE t.former IS NOT NULL
                     UNION ALL
                     SELECT t.name, p.token, t.token, greatest(p.began_at, t.began_at), least(p.ended_at, t.ended_at)
                       FROM remarkable t
                      CROSS JOIN LATERAL interlock.past(t.name, '{RELEASED,EXPIRED,FORCED,HELD_TOO_LONG}', t.token, NULL, 1) p
                      -- What ended before we look back to can overlap only what began before that, too.
                      WHERE t.former IS NULL AND t.began_at < (SELECT now - back FROM c)
                     UNION ALL
                     SELECT t.name, t.token, l.token, greatest(t.began_at, l.acquired_at), t.ended_at
                       FROM remarkable t JOIN interlock.lock l ON l.name = t.name AND l.held AND l.token > t.token
                      WHERE t.ended_at = t.last_ended) o
              WHERE o.until > o.since + interval '1 second'
                AND NOT EXISTS (SELECT FROM interlock.history h WHERE h.filed AND h.name = o.name AND h.token = o.later
                                                                 AND h.event = 'INVARIANT')
              ORDER BY o.name, o.later LIMIT (SELECT most FROM c))""";

    private Looking() {}

    static Sight look(Connection connection, Patience patience, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, patience.grace().toString());
            statement.setString(2, patience.lockLost().toString());
            statement.setString(3, patience.runningLong().toString());
            statement.setInt(4, most);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Census census = census(row);
                List<Finding> found = new ArrayList<>();
                do {
                    if (row.getString("kind") != null) {
                        found.add(running(row));
                    }
                } while (row.next());
                return new Sight(found, census);
            }
        }
    }

    private static Census census(ResultSet row) throws SQLException {
        return new Census(
                Rows.instant(row, "now"),
                Rows.instant(row, "server_start"),
                Rows.instantOrNull(row, "resume_at"),
                row.getInt("running"),
                row.getInt("expired"),
                Rows.instantOrNull(row, "first_expiry"),
                micros(row.getLong("longest_micros")));
    }

    private static Finding running(ResultSet row) throws SQLException {
        String execution = row.getString("execution");
        String target = row.getString("target");
        int attempt = row.getInt("attempt");
        long token = row.getLong("token");
        String owner = row.getString("owner");
        return switch (row.getString("kind")) {
            case "EXPIRED_ATTEMPT" ->
                new Finding.ExpiredAttempt(execution, target, attempt, token, owner, Rows.instant(row, "at"));
            case "LOCK_STATE_LOST" -> new Finding.LockStateLost(execution, target, attempt, token, owner);
            case "OVERDUE" -> new Finding.Overdue(execution, target, attempt, token, micros(row.getLong("number")));
            case "RUNNING_LONG" -> new Finding.RunningLong(execution, target, attempt, token, Rows.instant(row, "at"));
            default -> new Finding.GoneWorker(owner);
        };
    }

    static List<Finding> inspect(Connection connection, Patience patience, Duration back, int most)
            throws SQLException {
        List<Finding> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(INSPECT)) {
            statement.setString(1, patience.deadTold().toString());
            statement.setString(2, patience.deadKept().toString());
            statement.setString(3, back.toString());
            statement.setInt(4, most);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(hidden(row));
                }
            }
        }
        return found;
    }

    private static Finding hidden(ResultSet row) throws SQLException {
        String execution = row.getString("execution");
        String target = row.getString("target");
        long token = row.getLong("token");
        long number = row.getLong("number");
        return switch (row.getString("kind")) {
            case "ORPHANED_LOCK" -> new Finding.OrphanedLock(target, token, execution, row.getString("owner"));
            case "STRANDED" -> new Finding.Stranded(execution, target);
            case "GONE_WAITERS" -> new Finding.GoneWaiters(target, (int) number);
            case "RESOURCE_EXPIRED" -> new Finding.ResourceExpired(target, Rows.instant(row, "at"), number);
            case "DEAD_LETTER_OLD" -> new Finding.DeadLetterOld(execution, target, Rows.instant(row, "at"));
            case "DEAD_LETTER_SPENT" -> new Finding.DeadLetterSpent(execution, target, Rows.instant(row, "at"));
            default ->
                new Finding.OverlappingGrants(
                        target, token, number, Rows.instant(row, "at"), Rows.instant(row, "until"));
        };
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(Math.multiplyExact(micros, 1000L));
    }
}

package dev.interlock.postgres;

import static dev.interlock.postgres.PostgresJanitor.ACTOR;

import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.lifecycle.Catalogue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that passes no judgement on a runner. */
final class Tidying {
    private static final String FORCE = """
            SELECT f.outcome
              FROM interlock.lock l
              JOIN interlock.lease e ON e.id = l.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
             CROSS JOIN LATERAL interlock.force(l.name, l.token, ?, ?, false) f
             WHERE l.name = ? AND l.token = ? AND l.held AND l.forced_by IS NULL AND l.hold_reason IS NULL
               AND NOT EXISTS (SELECT FROM interlock.execution x WHERE x.id = l.execution AND x.phase = 'RUNNING' AND x.token = l.token)""";
    private static final String TURN = "SELECT turn FROM interlock.execution WHERE id = ? AND phase = 'PENDING'";
    private static final String REMOVE_WAITERS = "SELECT interlock.remove_waiters(?, ?, ?)";
    private static final String REMOVE_WORKER = """
            WITH gone AS (
                DELETE FROM interlock.worker w
                 WHERE w.id = ?
                   AND NOT EXISTS (SELECT FROM interlock.lease e
                                    WHERE e.id = w.lease AND e.ended_at IS NULL AND e.expires_at + ?::interval > clock_timestamp())
                RETURNING w.id
            )
            INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail)
            SELECT '', 0, 'WORKER_GONE', '', 0, g.id, '', c.now, c.now, ?, ?
              FROM gone g, (SELECT clock_timestamp() AS now OFFSET 0) c""";
    private static final String OVERDUE = """
            SELECT id FROM interlock.execution
             WHERE id = ? AND phase = 'RUNNING' AND token = ? AND cancelled_by IS NULL
               AND started_at + timeout + ?::interval <= clock_timestamp()""";
    private static final String TELL_RUNNING = """
            INSERT INTO interlock.alert
            SELECT x.id, x.attempt, 'RUNNING_LONG', clock_timestamp() FROM interlock.execution x
             WHERE x.id = ? AND x.phase = 'RUNNING' AND x.token = ?
            ON CONFLICT DO NOTHING""";
    private static final String TELL_DEAD = """
            INSERT INTO interlock.alert
            SELECT x.id, 0, 'DEAD_LETTER_OLD', clock_timestamp() FROM interlock.execution x WHERE x.id = ? AND x.dead_at = ?
            ON CONFLICT DO NOTHING""";
    private static final String TAKE_OFF = "UPDATE interlock.execution SET dead_at = NULL WHERE id = ? AND dead_at = ?";
    private static final String FORGET = "DELETE FROM interlock.alert WHERE execution = ?";
    private static final String EXPIRED = """
            SELECT interlock.expiry_key(r.target, r.expires_at, ?)
              FROM interlock.resource r
              JOIN interlock.workflow w ON w.lifecycle = r.lifecycle AND w.name = ?
             WHERE r.target = ? AND r.expires_at = ? AND interlock.may_expire(r, w)
               FOR UPDATE OF r""";
    private static final String FREEZE = "SELECT interlock.freeze(?, ?, ?, ?)";

    private static final String DESTROY = "JANITOR_DESTROY";

    private final Connection connection;
    private final Patience patience;

    Tidying(Connection connection, Patience patience) {
        this.connection = connection;
        this.patience = patience;
    }

    Deed order(Finding.OrphanedLock finding) throws SQLException {
        PostgresJanitor.take(connection, finding.target());
        String outcome = first(FORCE, ACTOR, finding.sentence(), finding.target(), finding.token());
        return outcome == null ? new Deed.Moot(finding) : new Deed.Done(finding, "");
    }

    Deed unpark(Finding.Stranded finding) throws SQLException {
        PostgresJanitor.take(connection, finding.target());
        if (!"PARKED".equals(first(TURN, finding.execution()))) {
            return new Deed.Moot(finding);
        }
        Changes.promote(connection, finding.target());
        if ("PARKED".equals(first(TURN, finding.execution()))) {
            return new Deed.Moot(finding);
        }
        return noted(finding, finding.execution(), "STRANDED", 0);
    }

    Deed remove(Finding.GoneWaiters finding) throws SQLException {
        PostgresJanitor.take(connection, finding.target());
        String removed = first(REMOVE_WAITERS, finding.target(), ACTOR, finding.sentence());
        return "0".equals(removed) ? new Deed.Moot(finding) : new Deed.Done(finding, "");
    }

    Deed remove(Finding.GoneWorker finding) throws SQLException {
        return changed(REMOVE_WORKER, finding.worker(), patience.grace().toString(), ACTOR, finding.sentence())
                ? new Deed.Done(finding, "")
                : new Deed.Moot(finding);
    }

    Deed cancel(Finding.Overdue finding, Catalogue catalogue) throws SQLException {
        PostgresJanitor.take(connection, finding.target());
        String grace = patience.grace().toString();
        if (first(OVERDUE, finding.execution(), finding.token(), grace) == null) {
            return new Deed.Moot(finding);
        }
        String outcome = new Cancelling(ACTOR, finding.sentence())
                .cancel(connection, finding.execution(), catalogue)
                .sentence();
        return new Deed.Done(finding, outcome);
    }

    Deed tell(Finding.RunningLong finding) throws SQLException {
        return changed(TELL_RUNNING, finding.execution(), finding.token())
                ? noted(finding, finding.execution(), "RUNNING_LONG", finding.token())
                : new Deed.Moot(finding);
    }

    Deed tell(Finding.DeadLetterOld finding) throws SQLException {
        return changed(TELL_DEAD, finding.execution(), at(finding.since()))
                ? noted(finding, finding.execution(), "DEAD_LETTER_OLD", 0)
                : new Deed.Moot(finding);
    }

    Deed purge(Finding.DeadLetterSpent finding) throws SQLException {
        if (!changed(TAKE_OFF, finding.execution(), at(finding.since()))) {
            return new Deed.Moot(finding);
        }
        changed(FORGET, finding.execution());
        return noted(finding, finding.execution(), "PURGED", 0);
    }

    /** One that does the same and is open already serves this one too. */
    Deed destroy(Finding.ResourceExpired finding, PostgresExecutionStore executions) throws SQLException {
        String key = first(EXPIRED, finding.period(), DESTROY, finding.target(), at(finding.expiredAt()));
        if (key == null) {
            return new Deed.Moot(finding);
        }
        Request request = Request.of(DESTROY, finding.target(), Map.of(), ACTOR)
                .withOnBusy(OnBusy.JOIN)
                .withIdempotencyKey(key);
        return new Deed.Done(finding, executions.submit(connection, request).sentence());
    }

    Deed freeze(Finding.OverlappingGrants finding) throws SQLException {
        PostgresJanitor.take(connection, finding.target());
        String frozen = first(FREEZE, finding.target(), finding.later(), ACTOR, finding.sentence());
        return "t".equals(frozen) ? new Deed.Done(finding, "") : new Deed.Moot(finding);
    }

    private Deed noted(Finding finding, String execution, String event, long token) throws SQLException {
        Changes.note(connection, execution, event, token, ACTOR, finding.sentence(), null);
        return new Deed.Done(finding, "");
    }

    private static OffsetDateTime at(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private boolean changed(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters)) {
            return statement.executeUpdate() > 0;
        }
    }

    private @Nullable String first(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private PreparedStatement prepared(String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int at = 0; at < parameters.length; at++) {
            statement.setObject(at + 1, parameters[at]);
        }
        return statement;
    }
}

package dev.interlock.postgres;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding.ExpiredAttempt;
import dev.interlock.core.janitor.Finding.LockStateLost;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Takeover;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes attempts whose runner is gone. The row of the lock comes first, then that of its lease: a renewal that was
 * faster has moved the end of the lease, and one that is slower finds the lease ended. A finish takes the same row of
 * the lock, so that one of the two finds the attempt closed by the other.
 */
final class TakingOver {
    private static final String TAKE_LEASE = """
            SELECT e.id FROM interlock.lease e
             WHERE e.id = (SELECT l.lease FROM interlock.lock l WHERE l.name = ? AND l.held) FOR UPDATE""";
    private static final String FIND = """
            SELECT x.*, c.now, interlock.over_at(x.token, l, e) AS over,
                   greatest(x.started_at, pg_postmaster_start_time()) AS since
              FROM interlock.execution x
              LEFT JOIN interlock.lock l ON l.name = x.target
              LEFT JOIN interlock.lease e ON e.id = l.lease
             CROSS JOIN (SELECT clock_timestamp() AS now OFFSET 0) c
             WHERE x.id = ? AND x.phase = 'RUNNING' AND x.token = ?
               FOR UPDATE OF x""";
    private static final String TAKE_OVER =
            "SELECT interlock.take_over(e, ?, ?, ?) FROM interlock.execution e WHERE e.id = ?";
    private static final String STAY_ABOVE = "SELECT interlock.stay_above(?, ?)";

    private final Connection connection;
    private final Catalogue catalogue;
    private final Patience patience;

    TakingOver(Connection connection, Catalogue catalogue, Patience patience) {
        this.connection = connection;
        this.catalogue = catalogue;
        this.patience = patience;
    }

    /** An attempt whose rows are ours, as they are now. */
    private record Found(
            Execution execution, Instant now, @Nullable Instant over, Instant since, boolean cancelled) {}

    Deed close(ExpiredAttempt finding) throws SQLException {
        Holdings holdings = take(finding.target());
        Found found = find(finding.execution(), finding.token());
        if (found == null
                || found.over == null
                || found.over.plus(patience.grace()).isAfter(found.now)) {
            return new Deed.Moot(finding);
        }
        Transition step = found.cancelled
                ? Takeover.whileCancelled(found.execution, finding.token(), found.now)
                : Takeover.afterLoss(
                        found.execution, finding.token(), retry(found, holdings), patience.crashes(), found.now);
        Execution after = write(Deciding.moved(step), found.now);
        String state = holdings == null ? null : end(after, holdings);
        try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
            statement.setLong(1, finding.token());
            statement.setString(2, state);
            statement.setString(3, finding.sentence());
            statement.setString(4, after.id());
            statement.execute();
        }
        return new Deed.Done(finding, outcome(after));
    }

    /** Later tokens of the target stay above the lost one, whatever the lock's record has forgotten. */
    Deed close(LockStateLost finding) throws SQLException {
        Holdings holdings = take(finding.target());
        Found found = find(finding.execution(), finding.token());
        if (found == null
                || found.over != null
                || found.since.plus(patience.lockLost()).isAfter(found.now)) {
            return new Deed.Moot(finding);
        }
        Transition step = Takeover.lockStateLost(found.execution, finding.token(), found.now);
        Execution after = write(Deciding.moved(step), found.now);
        String state = holdings == null ? null : end(after, holdings);
        Changes.note(
                connection,
                after.id(),
                Failure.LOCK_STATE_LOST,
                finding.token(),
                PostgresJanitor.ACTOR,
                finding.sentence(),
                state);
        try (PreparedStatement statement = connection.prepareStatement(STAY_ABOVE)) {
            statement.setString(1, finding.target());
            statement.setLong(2, finding.token());
            statement.execute();
        }
        Changes.promote(connection, finding.target());
        return new Deed.Done(finding, outcome(after));
    }

    /** In the order of all row locks: lock, lease, resource. */
    private @Nullable Holdings take(String target) throws SQLException {
        PostgresJanitor.take(connection, target);
        try (PreparedStatement statement = connection.prepareStatement(TAKE_LEASE)) {
            statement.setString(1, target);
            statement.execute();
        }
        return Holdings.take(connection, target, catalogue);
    }

    private @Nullable Found find(String execution, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, execution);
            statement.setLong(2, token);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Found(
                                Executions.read(row),
                                Rows.instant(row, "now"),
                                Rows.instantOrNull(row, "over"),
                                Rows.instant(row, "since"),
                                row.getString("cancelled_by") != null)
                        : null;
            }
        }
    }

    /** What nobody declares any more may not be repeated. */
    private Retry retry(Found found, @Nullable Holdings holdings) {
        Workflow workflow =
                catalogue.workflow(found.execution.request().workflow(), holdings == null ? null : holdings.resource());
        return workflow == null ? Retry.NONE : workflow.policy().retry();
    }

    private Execution write(Execution after, Instant now) throws SQLException {
        boolean goesOn = after.phase() == Phase.PENDING;
        Changes.write(connection, after, Phase.RUNNING, goesOn ? "TIMED" : null, goesOn ? null : now);
        return after;
    }

    /** While another attempt follows, the resource stays in the hands of the execution. */
    private String end(Execution after, Holdings holdings) throws SQLException {
        Resource resource =
                after.phase() == Phase.PENDING ? holdings.resource() : holdings.end(connection, after, false);
        return resource.state();
    }

    private static String outcome(Execution after) {
        Instant next = after.nextAttemptAt();
        return next == null
                ? "The execution has failed and is among the dead letters."
                : "Another attempt follows at " + next.truncatedTo(ChronoUnit.SECONDS) + ".";
    }
}

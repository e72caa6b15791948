package dev.interlock.postgres;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.admission.History;
import dev.interlock.core.admission.Situation;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads everything that a decision of admission goes by. */
final class Situations {
    private static final String CLOCK = "SELECT clock_timestamp() AS now";

    /** Whoever works on the target, and the first in its line. */
    private static final String OPEN = """
            SELECT e.* FROM interlock.execution e WHERE e.target = ? AND e.phase = 'RUNNING'
            UNION ALL
            (SELECT e.* FROM interlock.execution e WHERE e.target = ? AND e.phase = 'PENDING'
              ORDER BY e.submitted_at, e.id LIMIT 100)""";

    /**
     * All that counts: failures that nobody has cleared, the last successes, and the failures before any work began
     * since the last success of this workflow.
     */
    private static final String PAST = """
            WITH success AS (
                (SELECT id, ended_at FROM interlock.execution
                  WHERE target = ? AND phase = 'COMPLETED' AND ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1)
                UNION ALL
                (SELECT id, ended_at FROM interlock.execution
                  WHERE target = ? AND phase = 'COMPLETED' AND ended_at IS NOT NULL AND workflow = ?
                  ORDER BY ended_at DESC LIMIT 1)
            )
            SELECT e.* FROM interlock.execution e
             WHERE e.id IN (
                SELECT id FROM success
                UNION
                SELECT b.id FROM interlock.execution b
                 WHERE b.target = ? AND b.failure IN ('STARTED', 'UNKNOWN') AND b.cleared_at IS NULL
                UNION
                SELECT n.id FROM interlock.execution n
                 WHERE n.target = ? AND n.failure = 'NOT_STARTED'
                   AND n.ended_at >= coalesce((SELECT min(ended_at) FROM success), '-infinity'))""";

    private Situations() {}

    /** Of a malformed request nothing but itself is looked at: its target may be no name at all. */
    static Case read(Connection connection, Candidate candidate, Catalogue catalogue) throws SQLException {
        if (!candidate.request().faults().isEmpty()) {
            return Case.of(candidate, History.NONE, Situation.FREE, catalogue, now(connection));
        }
        Holdings holdings = Holdings.look(connection, candidate.request().target(), catalogue);
        return read(connection, candidate, catalogue, holdings);
    }

    /** The rows of the target's lock and resource are ours, when the answer is to be acted upon. */
    static Case read(Connection connection, Candidate candidate, Catalogue catalogue, @Nullable Holdings holdings)
            throws SQLException {
        String target = candidate.request().target();
        String workflow = candidate.request().workflow();
        Resource resource = holdings == null ? null : holdings.resource();
        String namesake = holdings == null ? null : holdings.namesake(connection, workflow);
        Lock lock = Records.find(connection, LockName.of(target)).orElse(null);
        List<Situation.Open> open = executions(connection, OPEN, target, target).stream()
                .map(Situation.Open::of)
                .toList();
        if (resource != null && resource.under() != null && resource.under().equals(candidate.execution())) {
            // Nobody in the line can begin before the one in whose hands the resource is.
            open = open.stream().filter(Situation.Open::running).toList();
        }
        History past = History.of(executions(connection, PAST, target, target, workflow, target, target));
        return Case.of(candidate, past, new Situation(lock, open, resource, namesake), catalogue, now(connection));
    }

    static Instant now(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLOCK);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return Rows.instant(row, "now");
        }
    }

    private static List<Execution> executions(Connection connection, String sql, String... parameters)
            throws SQLException {
        List<Execution> all = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setString(at + 1, parameters[at]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    all.add(Executions.read(row));
                }
            }
        }
        return all;
    }
}

package dev.interlock.postgres;

import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Executions as rows, for what only looks at them. */
final class ExecutionRows {
    private ExecutionRows() {}

    static void insert(PGSimpleDataSource database, String id, String phase, int attempt, long token, String owner)
            throws SQLException {
        Session.askOnce(database, """
                INSERT INTO interlock.execution
                       (id, target, workflow, requester, on_busy, priority, fingerprint, submitted_at, phase, attempt, token, owner)
                VALUES (?, 'target of ' || ?, 'ring', 'alice', 'QUEUE', 0, '', clock_timestamp(), ?, ?, ?, ?)""", id, id, phase, attempt, token, owner);
    }
}

package dev.interlock.postgres;

import dev.interlock.core.LockName;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Execution;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Takes the block of failures away, each once. */
final class Clearing {
    /** Everything that a person may clear: what blocks, and what counts among failures in a row. */
    private static final String UNCLEARED = """
            SELECT * FROM interlock.execution
             WHERE target = ? AND ended_at IS NOT NULL AND failure IS NOT NULL AND cleared_at IS NULL
             ORDER BY id FOR UPDATE""";

    private static final String CLEAR = """
            UPDATE interlock.execution SET cleared_by = ?, cleared_reason = ?, cleared_at = ?
             WHERE id = ? AND cleared_at IS NULL""";

    private Clearing() {}

    static List<Execution> clear(Connection connection, LockName target, String by, String reason) throws SQLException {
        List<Execution> cleared = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(UNCLEARED)) {
            statement.setString(1, target.value());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Clearance clearance = new Clearance(by, reason, Situations.now(connection));
                    cleared.add(clear(connection, Executions.read(row), clearance));
                }
            }
        }
        return cleared;
    }

    /** The row of the failed execution is ours. */
    static Execution clear(Connection connection, Execution failed, Clearance clearance) throws SQLException {
        Execution cleared = switch (failed.clear(clearance)) {
            case Clearance.Answer.Cleared(Execution execution) -> execution;
            case Clearance.Answer.AlreadyCleared already -> failed;
            case Clearance.Answer.NothingToClear nothing -> failed;
        };
        try (PreparedStatement statement = connection.prepareStatement(CLEAR)) {
            statement.setString(1, clearance.by());
            statement.setString(2, clearance.reason());
            Changes.instant(statement, 3, clearance.at());
            statement.setString(4, failed.id());
            statement.executeUpdate();
        }
        Changes.note(connection, failed.id(), "CLEARED", 0, clearance.by(), clearance.reason(), null);
        return cleared;
    }
}

package dev.interlock.postgres;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Cancellation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ends what waits, and tells whoever runs it what is to be stopped. */
final class Cancelling {
    private static final String TARGET = "SELECT target FROM interlock.execution WHERE id = ?";
    private static final String TAKE = "SELECT token FROM interlock.lock WHERE name = ? FOR UPDATE";

    /**
     * Not waited for: a claim that has the row of an execution may be waiting for the row of its lock, which is ours. Then
     * that claim goes first.
     */
    private static final String FIND = "SELECT * FROM interlock.execution WHERE id = ? FOR UPDATE NOWAIT";

    private static final String ORDER = """
            UPDATE interlock.execution SET cancelled_by = ?, cancel_reason = ? WHERE id = ? AND phase = 'RUNNING'
             AND cancelled_by IS NULL""";
    private static final String CALL = "SELECT pg_notify('interlock_work', 'cancel')";

    private final String by;
    private final String reason;

    Cancelling(String by, String reason) {
        this.by = by;
        this.reason = reason;
    }

    Cancellation cancel(Connection connection, String id, Catalogue catalogue) throws SQLException {
        String target = first(connection, TARGET, id);
        if (target == null) {
            return new Cancellation.Unknown(id);
        }
        first(connection, TAKE, target);
        Execution execution = find(connection, id);
        return switch (execution.phase()) {
            case PENDING -> new Cancellation.Cancelled(end(connection, execution, catalogue));
            case RUNNING -> {
                order(connection, id);
                yield new Cancellation.Stopping(execution);
            }
            case COMPLETED, FAILED, SKIPPED, CANCELLED -> new Cancellation.AlreadyEnded(execution);
        };
    }

    private Execution end(Connection connection, Execution waiting, Catalogue catalogue) throws SQLException {
        Holdings holdings = Holdings.take(connection, waiting.request().target(), catalogue);
        Execution cancelled = Deciding.moved(waiting.cancel(Situations.now(connection), by, reason));
        Changes.write(connection, cancelled, Phase.PENDING, null, null);
        Resource resource = holdings == null ? null : holdings.end(connection, cancelled, false);
        Changes.note(connection, waiting.id(), "CANCELLED", 0, by, reason, resource == null ? null : resource.state());
        Changes.promote(connection, waiting.request().target());
        return cancelled;
    }

    private void order(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ORDER)) {
            statement.setString(1, by);
            statement.setString(2, reason);
            statement.setString(3, id);
            if (statement.executeUpdate() > 0) {
                Changes.note(connection, id, "CANCEL_ORDERED", 0, by, reason, null);
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(CALL)) {
            statement.execute();
        }
    }

    private static Execution find(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return Executions.read(row);
            }
        }
    }

    private static @Nullable String first(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, Objects.requireNonNull(parameter));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}

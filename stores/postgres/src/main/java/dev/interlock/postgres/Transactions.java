package dev.interlock.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Several statements that happen together or not at all. */
final class Transactions {
    private Transactions() {}

    static <T extends @Nullable Object> T on(Connection connection, Connections.Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T answer = work.on(connection);
            connection.commit();
            connection.setAutoCommit(true);
            return answer;
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, e);
            throw e;
        }
    }

    /** A connection that cannot be rolled back is broken, which its first failure has told already. */
    private static void undo(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}

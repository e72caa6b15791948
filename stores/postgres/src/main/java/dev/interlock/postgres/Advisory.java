package dev.interlock.postgres;

import dev.interlock.core.LockName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Work in a transaction that first takes an advisory lock, on a connection that the work has to itself. */
final class Advisory {
    private static final String TAKE = """
            SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', ?, true),
                   pg_advisory_xact_lock(hashtextextended(?, 0))""";

    private static final String AS_USUAL = "SELECT set_config('lock_timeout', ?, true)";

    private Advisory() {}

    /** What is thrown from here closes the connection, and so rolls back. */
    static <T> T around(PostgresLockStore.Work<T> work, LockName name, Duration wait, DataSource source) {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            take(connection, name, wait);
            T answer = work.on(connection);
            connection.commit();
            return answer;
        } catch (SQLException e) {
            throw Failures.translate(e);
        }
    }

    private static void take(Connection connection, LockName name, Duration wait) throws SQLException {
        try (PreparedStatement take = connection.prepareStatement(TAKE);
                PreparedStatement asUsual = connection.prepareStatement(AS_USUAL)) {
            take.setString(1, Math.max(1, wait.toMillis()) + "ms"); // zero would be for ever
            take.setString(2, name.value());
            try (ResultSet row = take.executeQuery()) {
                row.next();
                asUsual.setString(1, row.getString("usual"));
            }
            asUsual.execute();
        }
    }
}

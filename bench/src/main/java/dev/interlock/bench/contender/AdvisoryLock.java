package dev.interlock.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.postgres.Database;
import java.sql.Connection;
import java.sql.SQLException;

/** Session-level advisory locks: nothing is written and nothing survives the connection; the floor for waiting. */
final class AdvisoryLock implements Contender {
    private static final String ACQUIRE = "SELECT pg_advisory_lock(hashtextextended(?, 0))";
    private static final String RELEASE = "SELECT pg_advisory_unlock(hashtextextended(?, 0))";

    @Override
    public String name() {
        return "pg_advisory_lock";
    }

    @Override
    public String settings() {
        return "not durable, no lease, no token; HikariCP, one connection per caller, kept while the lock is held";
    }

    @Override
    public void prepare(Database database) {
        // The server keeps these locks in memory.
    }

    @Override
    public Client open(Database database, int callers) {
        return new AdvisoryClient(database.pool(callers));
    }

    private record AdvisoryClient(HikariDataSource pool) implements Client {
        @Override
        public Held acquire(String name) throws SQLException {
            var connection = pool.getConnection();
            call(connection, ACQUIRE, name);
            return () -> {
                try (connection) {
                    call(connection, RELEASE, name);
                }
            };
        }

        private static void call(Connection connection, String sql, String name) throws SQLException {
            try (var statement = connection.prepareStatement(sql)) {
                statement.setString(1, name);
                statement.execute();
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}

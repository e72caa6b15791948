package dev.interlock.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;
import java.util.UUID;

/** The pair of statements that one writes without a library: the raw store, against which the others are set. */
final class RawPair implements Growing {
    private static final String ACQUIRE = """
            INSERT INTO locks AS l (name, owner, expires_at) VALUES (?, ?, now() + interval '30 seconds')
            ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
             WHERE l.expires_at < now()""";
    private static final String RELEASE = "DELETE FROM locks WHERE name = ? AND owner = ?";

    @Override
    public String name() {
        return "raw JDBC pair";
    }

    @Override
    public String settings() {
        return "`INSERT … ON CONFLICT … DO UPDATE … WHERE expired` and `DELETE`, each committed by itself; "
                + Pools.SHARED + "; no tokens, no waiting";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        RawTable.create(database);
    }

    @Override
    public void fill(Database database, int names) throws SQLException {
        RawTable.hold(database, "/other", "another", names);
    }

    @Override
    public Client open(Database database, int callers) {
        return new RawClient(Pools.shared(database, callers));
    }

    private record RawClient(HikariDataSource pool) implements Client {
        @Override
        public Held acquire(String name) throws SQLException {
            var owner = UUID.randomUUID().toString();
            change(ACQUIRE, name, owner);
            return () -> change(RELEASE, name, owner);
        }

        private void change(String sql, String name, String owner) throws SQLException {
            try (var connection = pool.getConnection();
                    var statement = connection.prepareStatement(sql)) {
                statement.setString(1, name);
                statement.setString(2, owner);
                if (statement.executeUpdate() != 1) {
                    throw new IllegalStateException("Held by another: " + name);
                }
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}

package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** The raw table renewed by a single update of all its rows. */
final class RawRenewalBatch implements Renewer {
    private static final String RENEW =
            "UPDATE locks SET expires_at = now() + interval '30 seconds' WHERE name = ANY (?) AND owner = ?";

    @Override
    public String name() {
        return "raw, one batch";
    }

    @Override
    public String settings() {
        return "one connection, one `UPDATE … WHERE name = ANY (…)` for all locks";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        RawTable.create(database);
    }

    @Override
    public Holding hold(Database database, int locks) throws SQLException {
        RawTable.hold(database, "", "bench", locks);
        var names = IntStream.range(0, locks).mapToObj(Names::at).toList();
        return new Batch(database.connect(), names);
    }

    private record Batch(Connection connection, List<String> names) implements Holding {
        @Override
        public void renewAll() throws SQLException {
            try (var statement = connection.prepareStatement(RENEW)) {
                statement.setArray(1, connection.createArrayOf("text", names.toArray()));
                statement.setString(2, "bench");
                if (statement.executeUpdate() != names.size()) {
                    throw new IllegalStateException("Some locks were lost");
                }
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}

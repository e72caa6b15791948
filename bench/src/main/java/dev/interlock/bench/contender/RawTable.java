package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;

/** The table that those who write their own SQL keep their locks in. */
final class RawTable {
    private static final String CREATE = """
            CREATE TABLE locks (
                name text PRIMARY KEY,
                owner text NOT NULL,
                expires_at timestamptz NOT NULL)""";
    private static final String HOLD = """
            INSERT INTO locks (name, owner, expires_at)
            SELECT ? || i || ?, ?, now() + interval '1 hour' FROM generate_series(0, ? - 1) AS i""";

    private RawTable() {}

    static void create(Database database) throws SQLException {
        database.run(CREATE);
    }

    /** Fills in {@code locks} held locks, named like the names of the run with this suffix. */
    static void hold(Database database, String suffix, String owner, int locks) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(HOLD)) {
            statement.setString(1, Names.PREFIX);
            statement.setString(2, suffix);
            statement.setString(3, owner);
            statement.setInt(4, locks);
            statement.executeUpdate();
        }
        database.run("VACUUM ANALYZE locks");
    }
}

package dev.interlock.bench.contender;

import dev.interlock.bench.postgres.Database;
import java.sql.Connection;
import java.sql.SQLException;

/** The raw table renewed lock by lock, each update committed by itself. */
final class RawRenewalEach implements Renewer {
    private static final String RENEW =
            "UPDATE locks SET expires_at = now() + interval '30 seconds' WHERE name = ? AND owner = ?";

    @Override
    public String name() {
        return "raw, one by one";
    }

    @Override
    public String settings() {
        return "one connection, one committed `UPDATE` per lock";
    }

    @Override
    public void prepare(Database database) throws SQLException {
        RawTable.create(database);
    }

    @Override
    public Holding hold(Database database, int locks) throws SQLException {
        RawTable.hold(database, "", "bench", locks);
        return new Each(database.connect(), locks);
    }

    private record Each(Connection connection, int locks) implements Holding {
        @Override
        public void renewAll() throws SQLException {
            try (var statement = connection.prepareStatement(RENEW)) {
                for (var i = 0; i < locks; i++) {
                    statement.setString(1, Names.at(i));
                    statement.setString(2, "bench");
                    if (statement.executeUpdate() != 1) {
                        throw new IllegalStateException("Lost: " + Names.at(i));
                    }
                }
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}

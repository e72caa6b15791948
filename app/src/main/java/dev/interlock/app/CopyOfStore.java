package dev.interlock.app;

import dev.interlock.embedded.Address;
import dev.interlock.embedded.Upgrade;
import dev.interlock.postgres.PostgresSchema;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Copies all records of a store into an empty one of another PostgreSQL version, with the same schema on both sides. */
final class CopyOfStore implements Upgrade.Copy {
    private static final String TABLES = """
            SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
             WHERE schemaname = 'interlock' AND tablename <> 'flyway_schema_history'
             ORDER BY 1""";
    private static final String SEQUENCES = """
            SELECT format('SELECT setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value)
              FROM pg_sequences WHERE schemaname = 'interlock' AND last_value IS NOT NULL""";

    @Override
    public void copy(Address from, Address to) throws Exception {
        PostgresSchema.migrate(Database.at(from));
        PostgresSchema.migrate(Database.at(to));
        try (Connection source = Database.at(from).getConnection();
                Connection target = Database.at(to).getConnection()) {
            target.setAutoCommit(false);
            List<String> tables = texts(source, TABLES);
            // Rows come as they are: what guards them has let them pass where they come from.
            triggers("DISABLE", tables, target);
            execute(target, "TRUNCATE " + String.join(", ", tables));
            for (String table : tables) {
                copy(table, source, target);
            }
            triggers("ENABLE", tables, target);
            for (String setting : texts(source, SEQUENCES)) {
                execute(target, setting);
            }
            target.commit();
        }
    }

    private static void triggers(String change, List<String> tables, Connection connection) throws SQLException {
        for (String table : tables) {
            execute(connection, "ALTER TABLE " + table + " " + change + " TRIGGER USER");
        }
    }

    private static void copy(String table, Connection source, Connection target) throws Exception {
        CopyManager reader = source.unwrap(PGConnection.class).getCopyAPI();
        CopyManager writer = target.unwrap(PGConnection.class).getCopyAPI();
        try (PipedInputStream in = new PipedInputStream(1 << 16)) {
            PipedOutputStream out = new PipedOutputStream(in);
            CompletableFuture<Long> reading = CompletableFuture.supplyAsync(() -> read(reader, table, out));
            writer.copyIn("COPY " + table + " FROM STDIN", in);
            reading.get();
        }
    }

    private static long read(CopyManager reader, String table, PipedOutputStream out) {
        try (out) {
            return reader.copyOut("COPY " + table + " TO STDOUT", out);
        } catch (SQLException | java.io.IOException e) {
            throw new IllegalStateException("The table " + table + " could not be read.", e);
        }
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private static List<String> texts(Connection connection, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}

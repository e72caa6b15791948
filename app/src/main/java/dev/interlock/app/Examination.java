package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.core.StoreUnavailable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** What {@code doctor} asks a PostgreSQL. */
final class Examination {
    private static final String SETTINGS = """
            SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
                   current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
                   current_setting('full_page_writes') AS full_page_writes,
                   (SELECT schema_version FROM interlock.store) AS schema_version,
                   (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
                   coalesce(host(inet_server_addr()) IN ('127.0.0.1', '::1'), true) AS local""";
    private static final int OLDEST = 150_000;

    private final DataSource source;
    private final Consumer<Finding> findings;

    Examination(DataSource source, Consumer<Finding> findings) {
        this.source = source;
        this.findings = findings;
    }

    void run() {
        try (Connection connection = source.getConnection();
                Statement sql = connection.createStatement()) {
            try (ResultSet row = sql.executeQuery(SETTINGS)) {
                row.next();
                findings.accept(version(row));
                findings.accept(Finding.ok("schema", "version " + row.getInt("schema_version")));
                findings.accept(durability(row));
                findings.accept(encryption(row));
            }
            findings.accept(listening(sql));
        } catch (SQLException e) {
            findings.accept(Finding.fail("server", String.valueOf(e.getMessage()), "Check the rights of this user."));
        }
    }

    static String version(DataSource source) {
        try (Connection connection = source.getConnection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.UNREACHABLE, "The store does not answer: " + e.getMessage(), e);
        }
    }

    private static Finding version(ResultSet row) throws SQLException {
        String text = "PostgreSQL " + row.getString("version");
        return row.getInt("number") >= OLDEST
                ? Finding.ok("server", text)
                : Finding.warn("server", text + " is older than anything Interlock is tested with", "Use 15 or newer.");
    }

    private static Finding durability(ResultSet row) throws SQLException {
        String text = "fsync " + row.getString("fsync") + ", synchronous_commit " + row.getString("synchronous_commit")
                + ", full_page_writes " + row.getString("full_page_writes");
        return text.contains(" off")
                ? Finding.fail(
                        "durability", text, "Switch all of them on: a crash could let it forget who holds a lock.")
                : Finding.ok("durability", text);
    }

    private static Finding encryption(ResultSet row) throws SQLException {
        if (row.getBoolean("encrypted")) {
            return Finding.ok("connection", "encrypted");
        }
        return row.getBoolean("local")
                ? Finding.ok("connection", "within this machine")
                : Finding.warn("connection", "not encrypted", "Add ?sslmode=verify-full to the address of the store.");
    }

    private static Finding listening(Statement sql) {
        try {
            sql.execute("LISTEN interlock_doctor");
            try (ResultSet row = sql.executeQuery("SELECT count(*) FROM pg_listening_channels()")) {
                row.next();
                return row.getInt(1) == 1
                        ? Finding.ok("push", "LISTEN works: waiters are told at once")
                        : noPush("a pooler swallows LISTEN");
            }
        } catch (SQLException e) {
            return noPush("LISTEN is refused: " + e.getMessage());
        }
    }

    private static Finding noPush(String text) {
        return Finding.warn(
                "push", text, "Waiters find out by asking, a little later. Connect past the pooler to avoid it.");
    }
}

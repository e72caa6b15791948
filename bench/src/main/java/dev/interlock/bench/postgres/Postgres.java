package dev.interlock.bench.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The server of a run, seen by its administrator. Every measurement gets a database of its own, so that no contender
 * inherits the bloat of another, and starts right after a checkpoint, so that none pays for another's dirty pages.
 */
public final class Postgres implements AutoCloseable {
    public static final String NOT_COUNTED =
            "Statements are not counted: this server does not load pg_stat_statements.";

    private static final String COUNT_STATEMENTS = """
            SELECT coalesce(sum(s.calls), 0)
              FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
             WHERE d.datname = ?""";

    private final Database home;
    private final Connection admin;
    private final boolean counting;
    private int databases;

    public Postgres(String url) throws SQLException {
        this.home = new Database(url);
        this.admin = home.connect();
        this.counting = setting("shared_preload_libraries").contains("pg_stat_statements") && extension();
    }

    /** What is measured inside a fresh database. */
    public interface Work<T> {
        T in(Database database) throws Exception;
    }

    public <T> T inFreshDatabase(Work<T> work) throws Exception {
        var name = "interlock_bench_" + ProcessHandle.current().pid() + "_" + ++databases;
        execute("CREATE DATABASE " + name);
        try {
            checkpoint();
            return work.in(home.sibling(name));
        } finally {
            execute("DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    public void checkpoint() throws SQLException {
        execute("CHECKPOINT");
    }

    public boolean countsStatements() {
        return counting;
    }

    /**
     * From now on the statements of new connections to this database are counted. Utility statements are left out,
     * because the server loses count of those: a COMMIT that the driver has prepared is counted once for all.
     */
    public void countStatements(Database database) throws SQLException {
        if (counting) {
            execute("ALTER DATABASE " + database.name() + " SET pg_stat_statements.track = 'top'");
            execute("ALTER DATABASE " + database.name() + " SET pg_stat_statements.track_utility = off");
        }
    }

    /** What clients had the server run in this database so far, or nothing where the server cannot count. */
    public OptionalLong statements(Database database) throws SQLException {
        if (!counting) {
            return OptionalLong.empty();
        }
        try (var statement = admin.prepareStatement(COUNT_STATEMENTS)) {
            statement.setString(1, database.name());
            try (var row = statement.executeQuery()) {
                row.next();
                return OptionalLong.of(row.getLong(1));
            }
        }
    }

    public String setting(String name) throws SQLException {
        try (var statement = admin.prepareStatement("SELECT current_setting(?)")) {
            statement.setString(1, name);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private boolean extension() {
        try {
            execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
            return true;
        } catch (SQLException unavailable) {
            return false;
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        admin.close();
    }
}

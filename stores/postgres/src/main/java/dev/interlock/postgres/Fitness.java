package dev.interlock.postgres;

import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * That a database can keep our promises.
 *
 * @param pruneDue whether nobody has pruned it for a day
 * @param unwritten how long it may leave a commit unwritten that nobody waits for
 */
record Fitness(boolean pruneDue, Duration unwritten) {
    private static final String LOOK = """
            SELECT schema_version, pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
                   current_setting('synchronous_commit') AS synchronous_commit,
                   pruned_at < clock_timestamp() - interval '1 day' AS prune_due,
                   extract(epoch FROM current_setting('wal_writer_delay')::interval * 3) AS unwritten
              FROM interlock.store""";

    /**
     * @throws StoreUnavailable if it cannot
     */
    static Fitness of(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK);
                ResultSet row = statement.executeQuery()) {
            row.next();
            int version = row.getInt("schema_version");
            if (version > PostgresSchema.VERSION) {
                throw new StoreUnavailable(
                        Kind.TOO_NEW,
                        "This database has version " + version + " of Interlock's schema, this program knows "
                                + PostgresSchema.VERSION + ". Use a newer Interlock.");
            }
            if (version < PostgresSchema.VERSION) {
                throw new StoreUnavailable(
                        Kind.MISCONFIGURED,
                        "This database has version " + version + " of Interlock's schema, this program needs "
                                + PostgresSchema.VERSION + ". Run: interlock store upgrade");
            }
            if (row.getBoolean("standby")) {
                throw new StoreUnavailable(
                        Kind.READ_ONLY,
                        "This PostgreSQL is a standby, on which nothing can be granted. Connect to the primary.");
            }
            if (row.getString("fsync").equals("off")
                    || row.getString("synchronous_commit").equals("off")) {
                throw new StoreUnavailable(
                        Kind.MISCONFIGURED,
                        "This PostgreSQL runs with fsync or synchronous_commit off: a crash could let it forget who holds a lock. Switch both on.");
            }
            return new Fitness(
                    row.getBoolean("prune_due"), Duration.ofMillis((long) (1000 * row.getDouble("unwritten"))));
        }
    }
}

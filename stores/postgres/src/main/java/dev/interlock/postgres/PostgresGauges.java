package dev.interlock.postgres;

import dev.interlock.core.work.Gauges;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Counts executions on PostgreSQL: one statement, of which every part reads a bounded piece of one index. */
public final class PostgresGauges implements Gauges {
    /** What runs is bounded by the slots of all workers, and is read whole. */
    private static final String LEVELS = """
            SELECT 'seen' AS kind, '' AS workflow, 1 AS count, clock_timestamp() AS oldest
            UNION ALL
            SELECT 'pending', '', count(*), min(submitted_at)
              FROM (SELECT submitted_at FROM interlock.execution WHERE phase = 'PENDING' LIMIT ?) AS pending
            UNION ALL
            SELECT 'ready', '', count(*), min(submitted_at)
              FROM (SELECT submitted_at FROM interlock.execution WHERE turn = 'READY' LIMIT ?) AS ready
            UNION ALL
            SELECT 'dead', '', count(*), min(dead_at)
              FROM (SELECT dead_at FROM interlock.execution WHERE dead_at IS NOT NULL ORDER BY dead_at LIMIT ?) AS dead
            UNION ALL
            SELECT 'stale', '', count(*), min(o.over)
              FROM interlock.execution e
              LEFT JOIN interlock.lease l ON l.id = e.lease
             CROSS JOIN LATERAL (SELECT CASE WHEN l.id IS NULL THEN e.started_at
                                             ELSE least(l.expires_at, l.ended_at) END AS over) o
             WHERE e.phase = 'RUNNING' AND o.over <= clock_timestamp()
            UNION ALL
            SELECT 'running', workflow, count(*), min(started_at)
              FROM interlock.execution WHERE phase = 'RUNNING' GROUP BY workflow""";

    private final Connections connections;

    /** Counts in the database that has these locks. */
    public PostgresGauges(PostgresLockStore locks) {
        this.connections = locks.connections();
    }

    @Override
    public Levels levels() {
        return connections.with(PostgresGauges::read);
    }

    static Levels read(Connection connection) throws SQLException {
        Map<String, Level> totals = new HashMap<>();
        Map<String, Level> running = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(LEVELS)) {
            for (int bound = 1; bound <= 3; bound++) {
                statement.setInt(bound, MOST);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    boolean runs = row.getString("kind").equals("running");
                    Level level = new Level(row.getLong("count"), Rows.instantOrNull(row, "oldest"));
                    (runs ? running : totals).put(row.getString(runs ? "workflow" : "kind"), level);
                }
            }
        }
        return levels(totals, running);
    }

    private static Levels levels(Map<String, Level> totals, Map<String, Level> running) throws SQLException {
        Level seen = totals.getOrDefault("seen", Level.NONE);
        if (seen.oldest() == null) {
            throw new SQLException("The server did not tell its time.");
        }
        return new Levels(
                seen.oldest(),
                totals.getOrDefault("pending", Level.NONE),
                totals.getOrDefault("ready", Level.NONE),
                totals.getOrDefault("dead", Level.NONE),
                totals.getOrDefault("stale", Level.NONE),
                running);
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Lease;
import dev.interlock.core.work.WorkerStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Workers in a table; each is there while its lease is. */
final class PostgresWorkers implements WorkerStore {
    /** A worker that has nothing to do yet needs its lease all the same; one that has ended is not opened again. */
    private static final String PRESENT = """
            WITH opened AS (
                INSERT INTO interlock.lease (id, owner, "user", channel, duration, renewed_at, expires_at)
                SELECT ?, ?, ?, ?, ?::interval, c.now, c.now + ?::interval
                  FROM (SELECT clock_timestamp() AS now OFFSET 0) c
                    ON CONFLICT (id) DO NOTHING
            )
            INSERT INTO interlock.worker (id, lease, slots, workflows, version, since)
            VALUES (?, ?, ?, ?, ?, clock_timestamp())
            ON CONFLICT (id) DO UPDATE
               SET lease = excluded.lease, slots = excluded.slots, workflows = excluded.workflows,
                   version = excluded.version""";

    private static final String IS_DRAINED = "SELECT drained_by IS NOT NULL FROM interlock.worker WHERE id = ?";
    private static final String LEAVE = "DELETE FROM interlock.worker WHERE id = ?";
    private static final String WORKERS = """
            SELECT w.id, w.slots, w.workflows, w.version, w.since, w.drained_by IS NOT NULL AS draining,
                   (SELECT count(*) FROM interlock.execution x WHERE x.phase = 'RUNNING' AND x.owner = w.id)::int AS running
              FROM interlock.worker w
              JOIN interlock.lease e ON e.id = w.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
             ORDER BY w.since, w.id""";
    private static final String DRAIN = """
            WITH there AS MATERIALIZED (
                SELECT w.id, w.drained_by FROM interlock.worker w
                  JOIN interlock.lease e ON e.id = w.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
                 WHERE w.id = ? FOR NO KEY UPDATE OF w
            ), asked AS (
                UPDATE interlock.worker w SET drained_by = ? FROM there t
                 WHERE w.id = t.id AND t.drained_by IS NULL
                RETURNING w.id, w.drained_by
            ), told AS (
                INSERT INTO interlock.history
                       (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail)
                SELECT a.id, 0, 'DRAIN_ORDERED', '', 0, a.id, a.drained_by, c.now, c.now, a.drained_by, NULL
                  FROM asked a CROSS JOIN LATERAL (SELECT clock_timestamp() AS now OFFSET 0) c
            )
            SELECT FROM there""";

    private final Connections connections;
    private final String channel;

    /** @param channel on which the process of the worker is told what concerns its leases */
    PostgresWorkers(Connections connections, String channel) {
        this.connections = connections;
        this.channel = channel;
    }

    @Override
    public void present(Lease lease, int slots, Set<String> workflows, String version) {
        connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(PRESENT)) {
                statement.setObject(1, lease.id());
                statement.setString(2, lease.owner());
                statement.setString(3, lease.user());
                statement.setString(4, channel);
                statement.setString(5, lease.duration().toString());
                statement.setString(6, lease.duration().toString());
                statement.setString(7, lease.owner());
                statement.setObject(8, lease.id());
                statement.setInt(9, slots);
                Parameters.text(statement, 10, workflows.stream().sorted().toList(), workflow -> workflow);
                statement.setString(11, version);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public boolean isDrained(String worker) {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(IS_DRAINED)) {
                statement.setString(1, worker);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }

    @Override
    public void leave(String worker) {
        connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(LEAVE)) {
                statement.setString(1, worker);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public List<Worker> workers() {
        return connections.with(connection -> {
            List<Worker> workers = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(WORKERS);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    workers.add(worker(row));
                }
            }
            return workers;
        });
    }

    private static Worker worker(ResultSet row) throws SQLException {
        return new Worker(
                row.getString("id"),
                row.getInt("slots"),
                Set.copyOf(Rows.texts(row, "workflows")),
                row.getString("version"),
                Rows.instant(row, "since"),
                row.getBoolean("draining"),
                row.getInt("running"));
    }

    @Override
    public boolean drain(String worker, String by) {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(DRAIN)) {
                statement.setString(1, worker);
                statement.setString(2, by);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next();
                }
            }
        });
    }
}

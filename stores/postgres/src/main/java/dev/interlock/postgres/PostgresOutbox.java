package dev.interlock.postgres;

import dev.interlock.core.Ports;
import dev.interlock.core.work.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The outbox in the database: filled where executions are submitted, emptied by any number of relays. */
public final class PostgresOutbox implements Outbox, AutoCloseable {
    private static final String OPEN = """
            UPDATE interlock.store
               SET transport = ?, transport_until = clock_timestamp() + ? * interval '1 microsecond'""";

    private static final String SHUT = "UPDATE interlock.store SET transport = NULL, transport_until = NULL";
    private static final String FORGET = "DELETE FROM interlock.outbox";

    /** Only the oldest are looked at for what to forget, so that a long backlog does not make every look longer. */
    private static final String TAKE = """
            WITH oldest AS (
                SELECT o.id, e.id IS NOT NULL AS awaited
                  FROM (SELECT id, execution FROM interlock.outbox ORDER BY id LIMIT 1000) o
                  LEFT JOIN interlock.execution e ON e.id = o.execution AND e.phase = 'PENDING'),
            forgotten AS (
                DELETE FROM interlock.outbox WHERE id IN (
                    SELECT o.id FROM interlock.outbox o JOIN oldest USING (id) WHERE NOT awaited
                       FOR UPDATE OF o SKIP LOCKED)),
            next AS (
                SELECT o.id FROM interlock.outbox o
                 WHERE o.taken_until <= clock_timestamp() AND o.id NOT IN (SELECT id FROM oldest WHERE NOT awaited)
                 ORDER BY o.id LIMIT ? FOR UPDATE OF o SKIP LOCKED)
            UPDATE interlock.outbox o SET taken_until = clock_timestamp() + ? * interval '1 microsecond'
              FROM next WHERE o.id = next.id
            RETURNING o.id, o.execution, o.target""";

    private static final String SENT = "DELETE FROM interlock.outbox WHERE id = ANY (?)";

    private final Connections connections;

    PostgresOutbox(Connections connections) {
        this.connections = connections;
    }

    /**
     * The outbox of this database.
     *
     * @param source gives a new connection each time it is asked, not a pooled one: the outbox keeps the one it needs
     */
    public static PostgresOutbox open(DataSource source, Ports ports) {
        return new PostgresOutbox(new Connections(source, ports.ticker()));
    }

    @Override
    public void open(String transport, Duration lasting) {
        connections.<@Nullable Void>with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(OPEN)) {
                statement.setString(1, transport);
                statement.setLong(2, micros(lasting));
                statement.execute();
                return null;
            }
        });
    }

    /** In this order: what is submitted in between leaves none. */
    @Override
    public void shut() {
        connections.<@Nullable Void>with(connection -> {
            for (String sql : List.of(SHUT, FORGET)) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.execute();
                }
            }
            return null;
        });
    }

    @Override
    public List<WakeUp> take(int most, Duration lasting) {
        return connections.with(connection -> take(connection, most, lasting));
    }

    private static List<WakeUp> take(Connection connection, int most, Duration lasting) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
            statement.setInt(1, most);
            statement.setLong(2, micros(lasting));
            List<WakeUp> taken = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    taken.add(new WakeUp(row.getLong("id"), row.getString("execution"), row.getString("target")));
                }
            }
            taken.sort(Comparator.comparingLong(WakeUp::number));
            return taken;
        }
    }

    @Override
    public void sent(List<WakeUp> wakeUps) {
        connections.<@Nullable Void>with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(SENT)) {
                Parameters.longs(statement, 1, wakeUps, WakeUp::number);
                statement.execute();
                return null;
            }
        });
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    @Override
    public void close() {
        connections.close();
    }
}

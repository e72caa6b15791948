package dev.interlock.postgres;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.audit.Slice;
import dev.interlock.core.audit.StillTrail;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The audit trail on PostgreSQL, on one connection of its own. Each verb is one transaction. */
public final class PostgresAudit implements AuditTrail {
    private static final String SETTLED = """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin,
                   coalesce((SELECT first_seq FROM interlock.seal ORDER BY number DESC LIMIT 1), 0) AS first_seq""";
    private static final String READ = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE (h.xid, h.seq) > (?::text::xid8, ?) AND h.seq >= ?
               AND (?::text IS NULL OR h.name = ?) AND (?::text IS NULL OR h.execution = ?)
               AND (?::text[] IS NULL OR h.event = ANY (?)) AND (?::text IS NULL OR h.ended_at > clock_timestamp() - ?::interval)
             ORDER BY h.xid, h.seq LIMIT ?""";
    private static final String LATEST = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE h.seq >= ?
               AND (?::text IS NULL OR h.name = ?) AND (?::text IS NULL OR h.execution = ?)
               AND (?::text[] IS NULL OR h.event = ANY (?)) AND (?::text IS NULL OR h.ended_at > clock_timestamp() - ?::interval)
             ORDER BY h.xid DESC, h.seq DESC LIMIT ?""";
    private static final String LATEST_BEFORE = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE h.seq < ?
               AND (?::text IS NULL OR h.name = ?) AND (?::text IS NULL OR h.execution = ?)
               AND (?::text[] IS NULL OR h.event = ANY (?)) AND (?::text IS NULL OR h.ended_at > clock_timestamp() - ?::interval)
             ORDER BY h.seq DESC LIMIT ?""";

    private interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private record Settled(long xmin, long firstSeq) {}

    private final DataSource source;
    private @Nullable Connection connection;

    /** @param source gives a new connection when it is asked; a pooler in transaction mode may stand in between */
    public PostgresAudit(DataSource source) {
        this.source = source;
    }

    @Override
    public Position settled() {
        return with(connection -> new Position(settled(connection).xmin, 0));
    }

    @Override
    public Slice read(EventFilter filter, Position after, int most) {
        return with(connection -> {
            Settled now = settled(connection); // first: what follows sees every transaction that had ended here
            try (PreparedStatement statement = connection.prepareStatement(READ)) {
                statement.setString(1, Long.toString(after.xid()));
                statement.setLong(2, after.seq());
                statement.setLong(3, now.firstSeq);
                filter(statement, 4, filter);
                statement.setInt(12, most);
                List<Event> events = Trail.events(statement);
                Position settled = new Position(now.xmin, 0);
                if (events.size() == most && events.getLast().at().compareTo(settled) < 0) {
                    settled = events.getLast().at();
                }
                return new Slice(events, settled.compareTo(after) < 0 ? after : settled);
            }
        });
    }

    @Override
    public List<Event> latest(EventFilter filter, int most) {
        return with(connection -> {
            long firstSeq = settled(connection).firstSeq;
            List<Event> newestFirst = new ArrayList<>(latest(connection, LATEST, firstSeq, filter, most));
            if (newestFirst.size() < most && firstSeq > 1) {
                newestFirst.addAll(latest(connection, LATEST_BEFORE, firstSeq, filter, most - newestFirst.size()));
            }
            return List.copyOf(newestFirst.reversed());
        });
    }

    private static List<Event> latest(Connection connection, String sql, long firstSeq, EventFilter filter, int most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, firstSeq);
            filter(statement, 2, filter);
            statement.setInt(10, most);
            return Trail.events(statement);
        }
    }

    @Override
    public Sealing seal(int most) {
        try {
            if (with(Sealer::isUpToDate)) {
                return new Sealing.NothingToDo();
            }
            return with(connection -> new Sealer(connection).seal(most));
        } catch (dev.interlock.core.StoreUnavailable e) {
            if (Failures.isLockTimeout(e)) {
                return new Sealing.GaveWay();
            }
            throw e;
        }
    }

    @Override
    public StillTrail still() {
        return PostgresStillTrail.open(source);
    }

    private static Settled settled(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SETTLED);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new Settled(row.getLong("xmin"), row.getLong("first_seq"));
        }
    }

    private static void filter(PreparedStatement statement, int at, EventFilter filter) throws SQLException {
        java.sql.@Nullable Array events = filter.events().isEmpty()
                ? null
                : statement
                        .getConnection()
                        .createArrayOf("text", filter.events().toArray());
        Duration since = filter.since();
        for (int twice = 0; twice < 2; twice++) {
            statement.setString(at + twice, filter.target());
            statement.setString(at + 2 + twice, filter.execution());
            statement.setArray(at + 4 + twice, events);
            statement.setString(at + 6 + twice, since == null ? null : since.toString());
        }
    }

    /** What is thrown from here gives the connection up, and so rolls back. */
    private synchronized <T extends @Nullable Object> T with(Work<T> work) {
        try {
            if (connection == null) {
                connection = source.getConnection();
                // Behind a pooler the name of a statement may mean another's.
                connection.unwrap(PGConnection.class).setPrepareThreshold(0);
                connection.setAutoCommit(false);
            }
            T answer = work.on(connection);
            connection.commit();
            return answer;
        } catch (SQLException e) {
            close();
            throw Failures.translate(e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // It is broken, which is why it is closed.
            }
            connection = null;
        }
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The store's own few connections, opened when they are needed and kept. Every verb of the store may be repeated, so a
 * kept connection that turns out to be broken is replaced and the request sent again.
 */
final class Connections implements AutoCloseable {
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private record Kept(Connection connection, long since) {}

    /** How long an answer is waited for where nothing else is said. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration SURPLUS = Duration.ofSeconds(5);

    private static final String CHECK_SERVER = "SELECT interlock.check_server()";

    /**
     * Keeps the plans of our statements on the indexes, in the order in which the rows are asked for, whatever the
     * tables hold at the moment; and lets the server give up on a row before we give up on the server, so that no
     * request is carried out after its caller was told that it failed. A session that a pooler shares with others is
     * left as it is.
     */
    private static final String SETTLE = """
            SELECT count(set_config(setting, value, false))
              FROM (VALUES ('plan_cache_mode', 'force_generic_plan'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
                           ('enable_seqscan', 'off'), ('jit', 'off'), ('lock_timeout', ?)) AS s(setting, value)
             WHERE pg_backend_pid() = ?""";

    private final DataSource source;
    private final Ports.Ticker ticker;
    /** The one used last is first, and is used next. */
    private final Deque<Kept> idle = new ConcurrentLinkedDeque<>();

    /** Not behind a pooler, where another's session may be ours the next moment. */
    private volatile boolean ownSessions = true;

    private volatile boolean closed;
    private final AtomicBoolean broken = new AtomicBoolean();
    private volatile Runnable onBroken = () -> {};

    Connections(DataSource source, Ports.Ticker ticker) {
        this.source = source;
        this.ticker = ticker;
    }

    /** Called after a kept connection broke and another was had: the server may have crashed in between. */
    void onBroken(Runnable listener) {
        onBroken = listener;
    }

    boolean areOwnSessions() {
        return ownSessions;
    }

    <T extends @Nullable Object> T with(Work<T> work) {
        return with(PATIENCE, work);
    }

    /** At most that long, then the connection is given up and the answer is unknown. */
    <T extends @Nullable Object> T with(Duration atMost, Work<T> work) {
        Kept kept = idle.pollFirst();
        if (kept != null) {
            try {
                return use(kept.connection, atMost, work);
            } catch (SQLException e) {
                if (!Failures.isWorthAnotherConnection(e)) {
                    throw Failures.translate(e);
                }
                ownSessions &= !Failures.isForgottenStatement(e);
                broken.set(true);
                closeIdle();
            }
        }
        T answer = fresh(atMost, work);
        if (broken.compareAndSet(true, false)) {
            onBroken.run();
        }
        return answer;
    }

    private <T extends @Nullable Object> T fresh(Duration atMost, Work<T> work) {
        try {
            return use(open(), atMost, work);
        } catch (SQLException e) {
            throw Failures.translate(e);
        }
    }

    private <T extends @Nullable Object> T use(Connection connection, Duration atMost, Work<T> work)
            throws SQLException {
        boolean sound = false;
        try {
            if (!atMost.equals(PATIENCE)) {
                limit(connection, atMost);
            }
            T answer = onKnownServer(connection, work);
            sound = true;
            return answer;
        } catch (SQLException e) {
            sound = !Failures.isWorthAnotherConnection(e);
            throw e;
        } finally {
            if (sound && !closed) {
                if (!atMost.equals(PATIENCE)) {
                    limit(connection, PATIENCE);
                }
                keep(connection);
            } else {
                close(connection);
            }
        }
    }

    /** Many processes may wait on one server: what a burst of requests has left over is not kept for long. */
    private void keep(Connection connection) {
        long now = ticker.nanos();
        idle.addFirst(new Kept(connection, now));
        Kept oldest = idle.peekLast();
        if (oldest != null && now - oldest.since > SURPLUS.toNanos() && idle.remove(oldest)) {
            close(oldest.connection);
        }
    }

    /** A server that was started anew is looked at once, by whoever meets it first: it may have forgotten commits. */
    private static <T extends @Nullable Object> T onKnownServer(Connection connection, Work<T> work)
            throws SQLException {
        try {
            return work.on(connection);
        } catch (SQLException e) {
            if (!Failures.isUnknownServer(e)) {
                throw e;
            }
            try (PreparedStatement statement = connection.prepareStatement(CHECK_SERVER)) {
                statement.execute();
            }
            return work.on(connection);
        }
    }

    private Connection open() throws SQLException {
        if (closed) {
            throw new StoreUnavailable(StoreUnavailable.Kind.BROKEN, "This store has been closed.");
        }
        Connection connection = source.getConnection();
        try {
            limit(connection, PATIENCE);
            settle(connection);
            return connection;
        } catch (SQLException e) {
            close(connection);
            throw e;
        }
    }

    private void settle(Connection connection) throws SQLException {
        PGConnection pg = connection.unwrap(PGConnection.class);
        if (ownSessions) {
            try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
                statement.setString(1, PATIENCE.toMillis() * 9 / 10 + "ms");
                statement.setInt(2, pg.getBackendPID());
                try (ResultSet row = statement.executeQuery()) {
                    ownSessions = row.next() && row.getInt(1) > 0;
                }
            }
        }
        if (!ownSessions) {
            pg.setPrepareThreshold(0); // the name of a statement may mean another's
        }
    }

    private static void limit(Connection connection, Duration atMost) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) Math.max(1, atMost.toMillis()));
    }

    private void closeIdle() {
        for (Kept next; (next = idle.pollFirst()) != null; ) {
            close(next.connection);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // It is broken, which is why it is closed.
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }
}

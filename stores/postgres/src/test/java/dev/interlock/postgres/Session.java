package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** Somebody else at the database, with a transaction of its own: what it has locked stays so until it ends it. */
final class Session implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Connection connection;

    private Session(Connection connection) {
        this.connection = connection;
    }

    /** Its first statement begins a transaction. */
    static Session open(PGSimpleDataSource database) {
        try {
            Connection connection = database.getConnection();
            connection.setAutoCommit(false);
            return new Session(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row, or null when there is none. */
    Object ask(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setObject(at + 1, parameters[at]);
            }
            if (!statement.execute()) {
                return null;
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? row.getObject(1) : null;
            }
        }
    }

    OffsetDateTime now() throws SQLException {
        return instant("SELECT clock_timestamp()");
    }

    OffsetDateTime instant(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setObject(at + 1, parameters[at]);
            }
            try (ResultSet row = statement.executeQuery()) {
                assertThat(row.next()).isTrue();
                return row.getObject(1, OffsetDateTime.class);
            }
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** One question outside any transaction. */
    static Object askOnce(PGSimpleDataSource database, String sql, Object... parameters) throws SQLException {
        try (Session session = open(database)) {
            Object answer = session.ask(sql, parameters);
            session.commit();
            return answer;
        }
    }

    /** Does it beside the test. */
    static <T> CompletableFuture<T> beside(Callable<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("beside").start(() -> {
            try {
                answer.complete(work.call());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Returns when that many sessions of this database wait for a row or a table. */
    static void awaitBlocked(PGSimpleDataSource database, int sessions) throws SQLException {
        awaitTrue(
                database,
                "SELECT count(*) >= ? FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
                sessions);
    }

    /** Returns when that much time has passed on the server's clock. */
    static void awaitPassed(PGSimpleDataSource database, Duration time) throws SQLException {
        try (Session session = open(database)) {
            OffsetDateTime end = session.now().plus(time);
            session.rollback();
            awaitTrue(database, "SELECT clock_timestamp() > ?", end);
        }
    }

    static void awaitTrue(PGSimpleDataSource database, String question, Object... parameters) throws SQLException {
        long until = System.nanoTime() + PATIENCE_NANOS;
        try (Session session = open(database)) {
            while (!Boolean.TRUE.equals(session.ask(question, parameters))) {
                session.rollback();
                assertThat(System.nanoTime()).as("still not: " + question).isLessThan(until);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }
}

package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.system.SystemPorts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The second belt: work inside a transaction that holds an advisory lock. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class AdvisoryTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final LockName OTHER = LockName.of("production/deployment/search-api");

    private static Server server;
    private static PGSimpleDataSource database;
    private PostgresLockStore store;
    private PostgresLockStore another;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("advisory");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        Server.execute(database, "DROP TABLE IF EXISTS done", "CREATE TABLE done (what text)");
        store = PostgresLockStore.open(database, SystemPorts.create());
        another = PostgresLockStore.open(database, SystemPorts.create());
    }

    @AfterEach
    void close() {
        store.close();
        another.close();
    }

    @Test
    void a_second_caller_waits_for_the_same_name_but_not_for_another() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        var first = Session.beside(() -> store.withAdvisory(NAME, connection -> {
            inside.countDown();
            awaitLatch(leave);
            return done(connection, "first");
        }));
        awaitLatch(inside);
        var second = Session.beside(() -> another.withAdvisory(NAME, connection -> done(connection, "second")));
        Session.awaitBlocked(database, 1);

        assertThat(another.<String>withAdvisory(OTHER, connection -> done(connection, "other")))
                .isEqualTo("other");
        assertThat(second).isNotDone();
        leave.countDown();

        assertThat(first.join()).isEqualTo("first");
        assertThat(second.join()).isEqualTo("second");
        assertThat(Session.askOnce(database, "SELECT string_agg(what, ' ') FROM done"))
                .isEqualTo("other first second");
    }

    @Test
    void whoever_waited_long_enough_is_told_that_the_store_is_busy() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        var first = Session.beside(() -> store.withAdvisory(NAME, connection -> {
            inside.countDown();
            awaitLatch(leave);
            return done(connection, "first");
        }));
        awaitLatch(inside);

        Throwable refusal = catchThrowable(
                () -> another.withAdvisory(NAME, Duration.ofMillis(1), connection -> done(connection, "too late")));

        leave.countDown();
        assertThat(refusal).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) refusal).kind()).isEqualTo(StoreUnavailable.Kind.BUSY);
        assertThat(first.join()).isEqualTo("first");
        assertThat(Session.askOnce(database, "SELECT string_agg(what, ' ') FROM done"))
                .isEqualTo("first");
    }

    @Test
    void the_work_has_the_settings_of_the_database_and_not_the_stores() throws SQLException {
        assertThat(store.<String>withAdvisory(NAME, Duration.ofMinutes(1), connection -> {
                    try (Statement statement = connection.createStatement();
                            var row = statement.executeQuery(
                                    "SELECT current_setting('lock_timeout') || ' ' || current_setting('enable_hashjoin')")) {
                        row.next();
                        return row.getString(1);
                    }
                }))
                .isEqualTo("0 on");
    }

    @Test
    void work_that_fails_leaves_nothing_behind_and_lets_the_next_in() throws SQLException {
        RuntimeException failure = new IllegalStateException("half way");

        assertThat(catchThrowable(() -> store.withAdvisory(NAME, connection -> {
                    done(connection, "half");
                    throw failure;
                })))
                .isSameAs(failure);
        assertThat(catchThrowable(() -> store.withAdvisory(NAME, connection -> done(connection, "half", "nowhere"))))
                .isInstanceOf(StoreUnavailable.class);

        assertThat(another.<String>withAdvisory(NAME, connection -> done(connection, "whole")))
                .isEqualTo("whole");
        assertThat(Session.askOnce(database, "SELECT string_agg(what, ' ') FROM done"))
                .isEqualTo("whole");
    }

    @Test
    void work_whose_connection_breaks_is_not_begun_again() throws SQLException {
        AtomicInteger begun = new AtomicInteger();

        assertThat(catchThrowable(() -> store.withAdvisory(NAME, connection -> {
                    begun.incrementAndGet();
                    done(connection, "half");
                    try (Statement statement = connection.createStatement()) {
                        return statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
                    }
                })))
                .isInstanceOf(StoreUnavailable.class);

        assertThat(begun).hasValue(1);
        assertThat(Session.askOnce(database, "SELECT count(*) FROM done")).isEqualTo(0L);
    }

    private static String done(Connection connection, String what) throws SQLException {
        return done(connection, what, "done");
    }

    private static String done(Connection connection, String what, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO done VALUES ('" + what + "')");
            statement.execute("SELECT 1 FROM " + table);
        }
        return what;
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The guards of docs/fencing.md: who has lost its lock writes nothing. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class FenceTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final String NOT_THE_PRESENT_GRANT = "IL003";

    private static Server server;
    private static PGSimpleDataSource database;
    private PostgresLockStore store;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("fence");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice",
                "DROP TABLE IF EXISTS deployment",
                "CREATE TABLE deployment (service text PRIMARY KEY, version text NOT NULL, token bigint NOT NULL DEFAULT 0)",
                "INSERT INTO deployment VALUES ('payment-api', 'v1')");
        store = PostgresLockStore.open(database, SystemPorts.create());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void the_holder_may_write() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));

        writeFenced("v2", lock.token());

        assertThat(version()).isEqualTo("v2");
    }

    @Test
    void a_superseded_holder_may_not() throws SQLException {
        Lock stale = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        expire(stale);
        Lock lock = granted(store.acquire(Asker.named("bob", LEASE).asks(NAME)));
        writeFenced("v2", lock.token());

        var refusal = catchThrowableOfType(SQLException.class, () -> writeFenced("v1.1", stale.token()));

        assertThat(refusal.getSQLState()).isEqualTo(NOT_THE_PRESENT_GRANT);
        assertThat(refusal.getMessage())
                .contains("token 1 of lock 'production/deployment/payment-api' is not the present grant")
                .contains("The latest token is 2.");
        assertThat(version()).isEqualTo("v2");
    }

    @Test
    void a_holder_whose_lease_has_ended_may_not_even_if_nobody_followed() throws SQLException {
        Lock stale = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        expire(stale);

        assertRefused(stale.token());
    }

    @Test
    void who_gave_the_lock_back_may_not() throws SQLException {
        Lock released = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        store.release(released);

        assertRefused(released.token());
    }

    @Test
    void who_never_had_the_lock_may_not() throws SQLException {
        assertRefused(1);
    }

    @Test
    void a_takeover_waits_for_the_write_of_a_holder_whose_lease_ends_meanwhile() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        try (Session writer = Session.open(database)) {
            writer.ask("SELECT interlock.fence(?, ?)", NAME.value(), lock.token());
            expire(lock);
            var successor =
                    Session.beside(() -> store.acquire(Asker.named("bob", LEASE).asks(NAME)));
            Session.awaitBlocked(database, 1);
            writer.ask("UPDATE deployment SET version = 'v2'");
            assertThat(successor).isNotDone();

            writer.commit();

            assertThat(granted(successor.join()).token()).isGreaterThan(lock.token());
            assertThat(version()).isEqualTo("v2");
        }
    }

    @Test
    void a_write_does_not_keep_the_lease_from_being_renewed() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        try (Session writer = Session.open(database)) {
            writer.ask("SELECT interlock.fence(?, ?)", NAME.value(), lock.token());

            assertThat(store.renew(lock)).isInstanceOf(dev.interlock.core.Renewal.Renewed.class);
        }
    }

    @Test
    void a_trigger_guards_writers_that_forget_to_ask() throws SQLException {
        Server.execute(database, """
                CREATE OR REPLACE FUNCTION guard_deployment() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM interlock.fence('production/deployment/' || NEW.service, NEW.token);
                    RETURN NEW;
                END $$""", """
                CREATE TRIGGER guarded BEFORE INSERT OR UPDATE ON deployment
                   FOR EACH ROW EXECUTE FUNCTION guard_deployment()""");
        Lock stale = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
        expire(stale);
        Lock lock = granted(store.acquire(Asker.named("bob", LEASE).asks(NAME)));

        write("v2", lock.token());
        var refusal = catchThrowableOfType(SQLException.class, () -> write("v1.1", stale.token()));

        assertThat(refusal.getSQLState()).isEqualTo(NOT_THE_PRESENT_GRANT);
        assertThat(version()).isEqualTo("v2");
    }

    @Test
    void elsewhere_a_condition_on_the_token_refuses_what_is_older() throws SQLException {
        assertThat(writeIfNewest("v2", 42)).isEqualTo(1L);
        assertThat(writeIfNewest("v2.1", 42)).isEqualTo(1L);
        assertThat(writeIfNewest("v1.1", 41)).isEqualTo(0L);
        assertThat(version()).isEqualTo("v2.1");
    }

    private static void writeFenced(String version, long token) throws SQLException {
        try (Session writer = Session.open(database)) {
            writer.ask("SELECT interlock.fence(?, ?)", NAME.value(), token);
            writer.ask("UPDATE deployment SET version = ?", version);
            writer.commit();
        }
    }

    private static void write(String version, long token) throws SQLException {
        Session.askOnce(database, "UPDATE deployment SET version = ?, token = ?", version, token);
    }

    private static Object writeIfNewest(String version, long token) throws SQLException {
        return Session.askOnce(database, """
                WITH written AS (
                    UPDATE deployment SET version = ?, token = ? WHERE service = 'payment-api' AND token <= ? RETURNING 1)
                SELECT count(*) FROM written""", version, token, token);
    }

    private static void assertRefused(long token) {
        var refusal = catchThrowableOfType(SQLException.class, () -> writeFenced("never", token));
        assertThat(refusal.getSQLState()).isEqualTo(NOT_THE_PRESENT_GRANT);
    }

    private static Object version() throws SQLException {
        return Session.askOnce(database, "SELECT version FROM deployment");
    }

    private static void expire(Lock lock) throws SQLException {
        Session.askOnce(
                database,
                "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = ?",
                lock.grant().lease());
    }
}

package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Requests that wait for a row which another session has locked, for longer than a lease lasts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class RowWaitTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofHours(1);

    private static Server server;
    private static PGSimpleDataSource database;
    private PostgresLockStore store;
    private Session other;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("rows");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice");
        store = PostgresLockStore.open(database, SystemPorts.create());
        other = Session.open(database);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        store.close();
    }

    @Test
    void an_acquire_that_waited_longer_than_its_lease_has_a_full_lease() throws SQLException {
        store.release(granted(store.acquire(Asker.named("alice", LONG).asks(NAME))));
        lockRowOf(NAME);
        var bob = Session.beside(() -> store.acquire(Asker.named("bob", SHORT).asks(NAME)));

        OffsetDateTime freed = letGoAfter(SHORT);

        assertFull(granted(bob.join()), SHORT, freed);
    }

    @Test
    void a_takeover_that_waited_longer_than_its_lease_has_a_full_lease() throws SQLException {
        expire(granted(store.acquire(Asker.named("alice", LONG).asks(NAME))));
        lockRowOf(NAME);
        var bob = Session.beside(() -> store.acquire(Asker.named("bob", SHORT).asks(NAME)));

        OffsetDateTime freed = letGoAfter(SHORT);

        assertFull(granted(bob.join()), SHORT, freed);
    }

    @Test
    void a_takeover_that_waited_for_the_old_lease_has_a_full_lease() throws SQLException {
        Lock old = granted(store.acquire(Asker.named("alice", LONG).asks(NAME)));
        expire(old);
        lockLeaseOf(old);
        var bob = Session.beside(() -> store.acquire(Asker.named("bob", SHORT).asks(NAME)));

        OffsetDateTime freed = letGoAfter(SHORT);

        assertFull(granted(bob.join()), SHORT, freed);
    }

    @Test
    void a_request_that_waited_longer_than_the_lease_it_came_with_is_not_granted() throws SQLException {
        store.release(granted(store.acquire(Asker.named("alice", LONG).asks(NAME))));
        Asker bob = Asker.named("bob", SHORT);
        store.acquire(bob.asks(LockName.of("opens the lease")));
        lockRowOf(NAME);
        var late = Session.beside(() -> store.acquire(bob.sibling("late").asks(NAME)));

        letGoAfter(SHORT);

        assertThat(catchThrowable(late::join)).isInstanceOf(CompletionException.class);
        assertThat(store.find(NAME).orElseThrow().status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    void a_renewal_that_waited_has_a_full_lease() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LONG).asks(NAME)));
        lockLeaseOf(lock);
        var renewal = Session.beside(() -> store.renew(lock));

        OffsetDateTime freed = letGoAfter(SHORT);

        assertThat(renewal.join()).isInstanceOf(Renewal.Renewed.class);
        assertFull(((Renewal.Renewed) renewal.join()).lock(), LONG, freed);
    }

    @Test
    void a_renewal_that_waited_longer_than_its_lease_is_lost() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", SHORT).asks(NAME)));
        lockLeaseOf(lock);
        var renewal = Session.beside(() -> store.renew(lock));
        var renewals = renewalOf(lock);
        Session.awaitBlocked(database, 2);

        letGoAfter(SHORT);

        assertThat(((Lost) renewal.join()).why()).isEqualTo(Loss.Cause.EXPIRED);
        assertThat(renewals.join()).isEqualTo("EXPIRED");
        assertThat(store.find(NAME).orElseThrow().status()).isEqualTo(Lock.Status.EXPIRED);
    }

    @Test
    void a_takeover_that_waited_behind_a_renewal_does_nothing() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LONG).asks(NAME)));
        Server.execute(database, "UPDATE interlock.lease SET expires_at = clock_timestamp() + interval '2 seconds'");
        other.ask("SELECT id FROM interlock.renew(ARRAY[?])", lock.grant().lease());
        Session.awaitTrue(database, "SELECT expires_at <= clock_timestamp() FROM interlock.lease");
        var bob = Session.beside(() -> store.acquire(Asker.named("bob", LONG).asks(NAME)));
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(bob.join()).isInstanceOf(Acquisition.Held.class);
        assertThat(((Acquisition.Held) bob.join()).current().token()).isEqualTo(lock.token());
        assertThat(store.renew(lock)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void a_renewal_that_waited_behind_a_takeover_is_lost() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LONG).asks(NAME)));
        expire(lock);
        assertThat(acquireElsewhere(NAME, null)).isEqualTo("GRANTED");
        var renewal = Session.beside(() -> store.renew(lock));
        var renewals = renewalOf(lock);
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(((Lost) renewal.join()).why()).isEqualTo(Loss.Cause.SUPERSEDED);
        assertThat(renewals.join()).isEqualTo("EXPIRED");
        Lock successor = store.find(NAME).orElseThrow();
        assertThat(successor.token()).isGreaterThan(lock.token());
        assertThat(successor.status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    void a_release_that_waited_behind_an_entering_waiter_hands_the_lock_over() throws SQLException {
        Lock lock = granted(store.acquire(Asker.named("alice", LONG).asks(NAME)));
        assertThat(acquireElsewhere(NAME, LONG)).isEqualTo("QUEUED");
        var release = Session.beside(() -> store.release(lock));
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(release.join()).isEqualTo(new Release.Released());
        Lock successor = store.find(NAME).orElseThrow();
        assertThat(successor.status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(successor.holder().execution()).isEqualTo("exec-elsewhere");
        assertThat(successor.token()).isGreaterThan(lock.token());
    }

    /** What the other tests can catch: the statement that everybody writes first. */
    @Test
    void a_plain_update_that_waited_arrives_expired() throws SQLException {
        Server.execute(
                database,
                "DROP TABLE IF EXISTS naive",
                "CREATE TABLE naive AS SELECT 1 AS id, clock_timestamp() AS expires_at");
        other.ask("SELECT 1 FROM naive FOR UPDATE");
        var naive = Session.beside(() -> Session.askOnce(
                database, "UPDATE naive SET expires_at = clock_timestamp() + interval '500 milliseconds'"));

        OffsetDateTime freed = letGoAfter(SHORT);

        naive.join();
        assertThat(other.instant("SELECT expires_at FROM naive")).isBefore(freed);
    }

    private void lockRowOf(LockName name) throws SQLException {
        other.ask("SELECT 1 FROM interlock.lock WHERE name = ? FOR UPDATE", name.value());
    }

    private void lockLeaseOf(Lock lock) throws SQLException {
        other.ask(
                "SELECT 1 FROM interlock.lease WHERE id = ? FOR UPDATE",
                lock.grant().lease());
    }

    private static void expire(Lock lock) throws SQLException {
        Session.askOnce(
                database,
                "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = ?",
                lock.grant().lease());
    }

    /** Ends the other session's transaction when the request has waited that long; tells just before which instant. */
    private OffsetDateTime letGoAfter(Duration wait) throws SQLException {
        Session.awaitBlocked(database, 1);
        Session.awaitPassed(database, wait);
        OffsetDateTime freed = other.now();
        other.rollback();
        return freed;
    }

    private static void assertFull(Lock lock, Duration lease, OffsetDateTime from) {
        assertThat(lock.grant().expiresAt()).isAfterOrEqualTo(from.plus(lease).toInstant());
    }

    /** The store gives up a batch of renewals sooner than this test needs; the server does not. */
    private static CompletableFuture<Object> renewalOf(Lock lock) {
        return Session.beside(() -> Session.askOnce(
                database,
                "SELECT ended FROM interlock.renew(ARRAY[?])",
                lock.grant().lease()));
    }

    /** In the other session's open transaction; tells the outcome. */
    private Object acquireElsewhere(LockName name, Duration wait) throws SQLException {
        UUID lease = UUID.randomUUID();
        return other.ask("""
                SELECT outcome FROM interlock.acquire(ARRAY[?], ARRAY[?], ARRAY['exec-elsewhere'], ARRAY[1], ARRAY['elsewhere'],
                    ARRAY['carol'], NULL, ARRAY[true], ARRAY[?::bigint], ARRAY[100], ARRAY[NULL::bigint], '{}', ARRAY[?],
                    ARRAY['elsewhere'], ARRAY['carol'], ARRAY[3600000000], 'elsewhere')
                 WHERE n IS NOT NULL OR outcome = 'GRANTED'""", name.value(), lease, wait == null ? null : wait.toNanos() / 1000, lease);
    }
}

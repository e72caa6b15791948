package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Place;
import dev.interlock.core.Ports;
import dev.interlock.core.Release;
import dev.interlock.core.Waiter;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The queue changes while a statement waits for the lock's row. Such a statement sees the queue as it was when it
 * began, and must not act on that.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class QueueRaceTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final Duration LONG = Duration.ofHours(1);

    private static Server server;
    private static PGSimpleDataSource database;
    private final Asker alice = Asker.named("alice", LONG);
    private final Asker bob = alice.sibling("exec-bob");
    private final Asker carol = alice.sibling("exec-carol");
    private final Asker dave = Asker.named("dave", LONG);
    private PostgresLockStore store;
    private PostgresLockStore elsewhere;
    private Session other;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("queue");
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
        elsewhere = PostgresLockStore.open(database, SystemPorts.create());
        other = Session.open(database);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        elsewhere.close();
        store.close();
    }

    /** Release begins and sees bob first in the queue; bob leaves; release gets the row. */
    @Test
    void a_head_that_leaves_while_the_release_waits_is_passed_over() throws Exception {
        Lock held = granted(store.acquire(alice.asks(NAME)));
        Place gone = queued(bob);
        Place next = queued(carol);
        leaves(bob);
        var release = Session.beside(() -> store.release(held));
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(release.join()).isInstanceOf(Release.Released.class);
        assertThat(tokenOf(next)).isGreaterThan(held.token());
        assertThat(gone.handover()).isNotDone();
        assertThat(store.find(NAME).orElseThrow().grant().holder())
                .isEqualTo(carol.asks(NAME).holder());
    }

    /** Release begins and sees an empty queue; dave has entered before it gets the row. */
    @Test
    void the_first_waiter_that_comes_while_the_release_waits_is_not_overlooked() throws Exception {
        Lock held = granted(store.acquire(alice.asks(NAME)));

        assertThat(tokenOf(daveEntersBefore(held))).isGreaterThan(held.token());
    }

    /** The last of the queue has the lock; dave has entered before its release gets the row. */
    @Test
    void a_waiter_that_comes_while_the_last_one_releases_is_not_overlooked() throws Exception {
        Lock first = granted(store.acquire(alice.asks(NAME)));
        Place last = queued(bob);
        store.release(first);
        Lock held = lockOf(last);

        assertThat(tokenOf(daveEntersBefore(held))).isGreaterThan(held.token());
    }

    private Place daveEntersBefore(Lock isReleased) throws SQLException {
        lockRow();
        var entry = Session.beside(() -> elsewhere.enter(dave.asks(NAME), LONG, 10));
        Session.awaitBlocked(database, 1);
        var release = Session.beside(() -> store.release(isReleased));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(release.join()).isInstanceOf(Release.Released.class);
        return Asker.queued(entry.join()).place();
    }

    /** Carol's request begins and sees alice holding it; it goes to bob; carol's request gets the row. */
    @Test
    void whoever_enters_while_the_lock_changes_hands_stands_behind_the_new_holder() throws Exception {
        Lock held = granted(store.acquire(alice.asks(NAME)));
        Place next = queued(bob);
        releases(held);
        var entry = Session.beside(() -> store.enter(carol.asks(NAME), LONG, 10));
        Session.awaitBlocked(database, 1);

        other.commit();

        Entry.Queued queued = Asker.queued(entry.join());
        assertThat(queued.position()).isEqualTo(1);
        assertThat(queued.current().grant().holder()).isEqualTo(bob.asks(NAME).holder());
        store.release(lockOf(next));
        assertThat(tokenOf(queued.place())).isEqualTo(held.token() + 2);
    }

    /** Carol's request begins and sees a queue; it drains and the lock is free; carol's request gets the row. */
    @Test
    void whoever_enters_while_the_queue_drains_is_granted_the_lock() throws Exception {
        Lock held = granted(store.acquire(alice.asks(NAME)));
        queued(bob);
        leaves(bob);
        releases(held);
        var entry = Session.beside(() -> store.enter(carol.asks(NAME), LONG, 10));
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(entry.join()).isInstanceOf(Acquisition.Granted.class);
    }

    /** Bob gives up; the net is cast and does not find his place; bob must not be thought to have lost it in a crash. */
    @Test
    void whoever_gave_up_is_not_put_back_by_the_net() throws Exception {
        BlockingQueue<Runnable> timers = new LinkedBlockingQueue<>();
        Ports real = SystemPorts.create();
        Ports byHand = new Ports(
                real.ticker(),
                (delay, task) -> {
                    timers.add(task);
                    return () -> timers.remove(task);
                },
                real.tasks(),
                real.entropy());
        try (PostgresLockStore patient = PostgresLockStore.open(database, byHand)) {
            granted(patient.acquire(alice.asks(NAME)));
            Asker.queued(patient.enter(bob.asks(NAME), LONG, 10));
            Asker.queued(patient.enter(carol.asks(NAME), LONG, 10));

            patient.withdraw(bob.asks(NAME));
            for (int casts = 0; casts < 3; casts++) {
                timers.poll(60, TimeUnit.SECONDS).run();
            }

            assertThat(patient.waiters(NAME))
                    .extracting(Waiter::holder)
                    .containsExactly(carol.asks(NAME).holder());
        }
    }

    @Test
    void the_same_holder_entering_twice_keeps_its_place() {
        granted(store.acquire(alice.asks(NAME)));
        queued(bob);
        queued(carol);

        Entry again = store.enter(bob.asks(NAME), LONG, 10);

        assertThat(Asker.queued(again).position()).isEqualTo(1);
        assertThat(store.waiters(NAME)).hasSize(2);
    }

    @Test
    void a_full_queue_takes_nobody_in() {
        granted(store.acquire(alice.asks(NAME)));
        queued(bob);

        assertThat(store.enter(carol.asks(NAME), LONG, 1)).isInstanceOf(Entry.QueueFull.class);
        assertThat(store.waiters(NAME)).hasSize(1);
    }

    private Place queued(Asker asker) {
        return Asker.queued(store.enter(asker.asks(NAME), LONG, 10)).place();
    }

    private void lockRow() throws SQLException {
        other.ask("SELECT 1 FROM interlock.lock WHERE name = ? FOR UPDATE", NAME.value());
    }

    private void leaves(Asker asker) throws SQLException {
        var ask = asker.asks(NAME);
        other.ask(
                "SELECT * FROM interlock.withdraw(?, ?, ?, ?, 'elsewhere')",
                NAME.value(),
                ask.lease().id(),
                ask.holder().execution(),
                ask.holder().attempt());
    }

    private void releases(Lock lock) throws SQLException {
        other.ask(
                "SELECT * FROM interlock.release(ARRAY[?], ARRAY[?]::bigint[], ARRAY[?]::uuid[], 'elsewhere', true)",
                NAME.value(),
                lock.token(),
                lock.grant().lease());
    }

    private static Lock lockOf(Place place) throws Exception {
        return ((Acquisition.Granted) place.handover().get(60, TimeUnit.SECONDS)).lock();
    }

    private static long tokenOf(Place place) throws Exception {
        return lockOf(place).token();
    }
}

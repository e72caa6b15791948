package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL is killed with kill -9 and started again, or only a connection is cut. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(300)
class CrashTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final LockName OTHER = LockName.of("production/deployment/search-api");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final int LINE = 40;

    private static Server server;

    @BeforeAll
    static void startServer() {
        // So that a commit which nobody waits for is still in memory when the server is killed.
        server = Server.start(18, "wal_writer_delay=10s");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void a_hundred_held_and_a_hundred_waited_for_survive_the_server() throws Exception {
        PGSimpleDataSource database = server.database("hundreds");
        Ports ports = SystemPorts.create();
        Settings settings = new Settings(Duration.ofSeconds(30), 0.2, 0.66, 3);
        try (PostgresLockStore store = PostgresLockStore.open(database, ports);
                PostgresLockStore another = PostgresLockStore.open(database, ports);
                Locks holders = new Locks(store, ThisProcess.identity(), settings, ports);
                Locks waiters = new Locks(another, ThisProcess.identity(), settings, ports)) {
            Inside inside = new Inside();
            List<HeldLock> held = new ArrayList<>();
            for (int number = 0; number < 100; number++) {
                HeldLock lock = holders.acquire("lock/" + number);
                inside.enter(lock);
                held.add(lock);
            }
            List<CompletableFuture<Long>> served = new ArrayList<>();
            for (int number = 0; number < 80; number++) {
                served.add(lineUp(waiters, "lock/" + number, inside, new ConcurrentLinkedQueue<>(), number, () -> {}));
            }
            ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
            for (int number = 0; number < 20; number++) {
                served.add(lineUp(waiters, "lock/99", inside, order, number, () -> {}));
            }

            long killedAt = ports.ticker().nanos();
            server.crash();
            server.start();
            Duration down = Duration.ofNanos(ports.ticker().nanos() - killedAt);

            for (HeldLock lock : held) {
                Lock current = Session.beside(() -> find(store, lock.name())).join();
                assertThat(current.token()).as("an acknowledged grant").isEqualTo(lock.token());
            }
            if (down.compareTo(Duration.ofSeconds(10)) < 0) {
                assertThat(held).allMatch(HeldLock::isHeld);
            }
            for (HeldLock lock : held) {
                inside.leave(lock);
                lock.close();
            }

            for (CompletableFuture<Long> one : served) {
                assertThat(one.get(120, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(List.copyOf(order)).isSorted().hasSize(20);
            assertThat(inside.faults).isEmpty();
            assertThat(Session.askOnce(database, """
                    SELECT count(*) FROM (SELECT name, token FROM interlock.history
                     WHERE event <> 'REFUSED' GROUP BY name, token HAVING count(*) > 1) twice""")).isEqualTo(0L);
        }
    }

    /** Nobody waits for the disk when the lock goes down the line, so that a crash in the middle forgets all of it. */
    @Test
    void a_line_goes_on_where_it_was() throws Exception {
        PGSimpleDataSource database = server.database("lines");
        Inside inside = new Inside();

        List<Integer> order = crashInTheMiddleOfALine(database, inside);

        assertThat(inside.faults).isEmpty();
        assertThat(order).isSorted().hasSize(LINE);
        assertThat(Session.askOnce(database, """
                SELECT count(*) FROM (SELECT token FROM interlock.history
                 WHERE event = 'RELEASED' GROUP BY token HAVING count(*) = 1) once""")).isEqualTo(LINE + 1L);
    }

    /** The same if a place in the queue were not waited for on disk either. */
    @Test
    void a_line_that_the_crash_forgets_is_seen_to_go_wrong() throws Exception {
        PGSimpleDataSource database = server.database("forgotten_lines");
        Server.execute(
                database,
                """
                CREATE FUNCTION forgetful() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM set_config('synchronous_commit', 'off', true);
                    RETURN NEW;
                END $$""",
                "CREATE TRIGGER forgetful BEFORE INSERT ON interlock.waiter FOR EACH ROW EXECUTE FUNCTION forgetful()");
        Inside inside = new Inside();

        crashInTheMiddleOfALine(database, inside);

        assertThat(inside.faults).isNotEmpty();
    }

    private static List<Integer> crashInTheMiddleOfALine(PGSimpleDataSource database, Inside inside) throws Exception {
        Ports ports = SystemPorts.create();
        Settings settings = new Settings(Duration.ofSeconds(10), 0.2, 0.66, 3);
        try (PostgresLockStore store = PostgresLockStore.open(database, ports);
                PostgresLockStore another = PostgresLockStore.open(database, ports);
                Locks here = new Locks(store, ThisProcess.identity(), settings, ports);
                Locks there = new Locks(another, ThisProcess.identity(), settings, ports)) {
            HeldLock first = here.acquire("line");
            ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
            CountDownLatch inTheMiddle = new CountDownLatch(1);
            CountDownLatch restarted = new CountDownLatch(1);
            List<CompletableFuture<Long>> served = new ArrayList<>();
            for (int number = 0; number < LINE; number++) {
                Runnable work = number == LINE / 2
                        ? () -> {
                            inTheMiddle.countDown();
                            awaitQuietly(restarted);
                        }
                        : () -> {};
                served.add(lineUp(number % 2 == 0 ? here : there, "line", inside, order, number, work));
            }
            first.close();
            assertThat(inTheMiddle.await(60, TimeUnit.SECONDS)).isTrue();

            server.crash();
            server.start();
            restarted.countDown();

            for (CompletableFuture<Long> one : served) {
                one.handle((token, failure) -> token).get(120, TimeUnit.SECONDS);
            }
            return List.copyOf(order);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_release_that_the_crash_lost_is_said_again() throws SQLException {
        PGSimpleDataSource database = server.database("releases");
        try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
            store.release(granted(store.acquire(Asker.named("alice", LEASE).asks(NAME))));
            server.crash();
            server.start();
            assertThat(Session.askOnce(database, "SELECT held FROM interlock.lock"))
                    .as("the crash lost the release")
                    .isEqualTo(true);

            store.find(OTHER);

            Session.awaitTrue(database, "SELECT NOT held FROM interlock.lock");
        }
    }

    @Test
    void a_release_that_the_crash_lost_is_said_again_also_after_failing_while_the_server_was_down()
            throws SQLException {
        PGSimpleDataSource database = server.database("later_releases");
        try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
            store.release(granted(store.acquire(Asker.named("alice", LEASE).asks(NAME))));
            server.crash();
            var failure = catchThrowableOfType(StoreUnavailable.class, () -> store.find(OTHER));
            assertThat(failure.kind()).isEqualTo(StoreUnavailable.Kind.UNREACHABLE);
            server.start();
            assertThat(Session.askOnce(database, "SELECT held FROM interlock.lock"))
                    .as("the crash lost the release")
                    .isEqualTo(true);

            store.find(OTHER);

            Session.awaitTrue(database, "SELECT NOT held FROM interlock.lock");
        }
    }

    @Test
    void a_request_whose_connection_is_cut_while_it_waits_is_asked_again_and_answered_once() throws SQLException {
        PGSimpleDataSource database = server.database("cuts");
        try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create());
                Session other = Session.open(database)) {
            Lock first = granted(store.acquire(Asker.named("alice", LEASE).asks(NAME)));
            store.release(first);
            other.ask("SELECT 1 FROM interlock.lock FOR UPDATE");
            var request =
                    Session.beside(() -> store.acquire(Asker.named("bob", LEASE).asks(NAME)));
            Session.awaitBlocked(database, 1);

            Object cut = Session.askOnce(
                    database,
                    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
            Session.askOnce(database, "SELECT pg_terminate_backend(?)", cut);

            Session.awaitTrue(
                    database,
                    "SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> ?",
                    cut);
            other.rollback();
            Lock lock = granted(request.join());
            assertThat(lock.token()).isEqualTo(first.token() + 1);
            store.release(lock);
            assertThat(Session.askOnce(database, "SELECT array_agg(token ORDER BY token)::text FROM interlock.history"))
                    .isEqualTo("{1,2}");
        }
    }

    /** Returns when the waiter has its place; the answer is the token of its grant, already given back. */
    private static CompletableFuture<Long> lineUp(
            Locks locks, String name, Inside inside, ConcurrentLinkedQueue<Integer> order, int number, Runnable work)
            throws InterruptedException {
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<Long> served = new CompletableFuture<>();
        Options options = Options.waiting(Duration.ofMinutes(4)).tellingQueued(place -> queued.countDown());
        Thread.ofVirtual().start(() -> {
            try (HeldLock lock = locks.acquire(name, options)) {
                inside.enter(lock);
                order.add(number);
                work.run();
                inside.leave(lock);
                served.complete(lock.token());
            } catch (Throwable e) {
                served.completeExceptionally(e);
            }
        });
        assertThat(queued.await(60, TimeUnit.SECONDS)).isTrue();
        return served;
    }

    /** The first requests after the restart may meet connections that broke. */
    private static Lock find(PostgresLockStore store, LockName name) {
        for (int tries = 1; ; tries++) {
            try {
                return store.find(name).orElseThrow();
            } catch (StoreUnavailable e) {
                if (tries == 10) {
                    throw e;
                }
            }
        }
    }
}

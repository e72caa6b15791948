package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static dev.interlock.postgres.Asker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.Handover;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import dev.interlock.core.system.SystemPorts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
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

/** A server that may have forgotten what it had promised: restored from a backup, or failed over with a loss. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class EpochTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final LockName OTHER = LockName.of("production/deployment/search-api");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final long FIRST_OF_NEXT_EPOCH = (1L << 40) + 1;

    private static final String RESTORED = """
            UPDATE interlock.store SET system_identifier = system_identifier - 1, started_at = started_at - interval '1 day'""";
    private static final String FAILED_OVER = """
            UPDATE interlock.store SET timeline = '00000000', started_at = started_at - interval '1 day'""";

    private static Server server;
    private PGSimpleDataSource database;
    private PostgresLockStore store;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        database = server.database("epoch");
        store = PostgresLockStore.open(database, SystemPorts.create());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void after_a_restore_tokens_go_on_above_all_that_were_ever_handed_out() throws SQLException {
        Lock old = granted(store.acquire(asker("alice")));
        store.release(old);
        Server.execute(database, RESTORED);

        assertNothingIsGranted();
        letLeasesRunOut();

        assertThat(granted(store.acquire(asker("bob"))).token()).isEqualTo(FIRST_OF_NEXT_EPOCH);
        assertThat(granted(store.acquire(Asker.named("carol", LEASE).asks(OTHER)))
                        .token())
                .as("a name that the restored store has never seen")
                .isEqualTo(FIRST_OF_NEXT_EPOCH);
    }

    @Test
    void after_a_failover_tokens_go_on_above_all_that_were_ever_handed_out() throws SQLException {
        Server.execute(database, FAILED_OVER);

        assertNothingIsGranted();
        letLeasesRunOut();

        assertThat(granted(store.acquire(asker("bob"))).token()).isEqualTo(FIRST_OF_NEXT_EPOCH);
    }

    @Test
    void an_order_to_recover_does_the_same() throws SQLException {
        store.recover();

        assertNothingIsGranted();
        letLeasesRunOut();

        assertThat(granted(store.acquire(asker("bob"))).token()).isEqualTo(FIRST_OF_NEXT_EPOCH);
    }

    /** A request has read the epoch and waits for the row of its lock; the order to recover comes; the row gets free. */
    @Test
    void recovering_waits_for_requests_that_have_begun() throws Exception {
        store.release(granted(store.acquire(asker("alice"))));
        try (Session other = Session.open(database)) {
            other.ask("SELECT 1 FROM interlock.lock FOR UPDATE");
            var begun = Session.beside(() -> store.acquire(asker("bob")));
            Session.awaitBlocked(database, 1);
            var recovery = Session.beside(() -> {
                store.recover();
                return store.find(asker("bob").name()).orElseThrow();
            });
            Session.awaitBlocked(database, 2);
            assertThat(recovery).isNotDone();

            other.commit();

            long token = granted(begun.join()).token();
            assertThat(token).isLessThan(FIRST_OF_NEXT_EPOCH);
            assertThat(recovery.join().token())
                    .as("the grant was there when the epoch rose")
                    .isEqualTo(token);
        }
    }

    @Test
    void asking_again_does_not_put_the_end_off() throws SQLException {
        Server.execute(database, RESTORED);
        assertNothingIsGranted();
        Object resume = Session.askOnce(database, "SELECT grants_resume_at FROM interlock.store");

        assertNothingIsGranted();

        assertThat(Session.askOnce(database, "SELECT grants_resume_at FROM interlock.store"))
                .isEqualTo(resume);
        assertThat(epoch()).isEqualTo(1);
    }

    @Test
    void grants_resume_when_the_longest_lease_that_may_be_forgotten_is_over() throws SQLException {
        store.acquire(asker("alice"));
        Server.execute(database, RESTORED);

        assertNothingIsGranted();

        assertThat(
                        Session.askOnce(
                                database,
                                "SELECT grants_resume_at BETWEEN clock_timestamp() + interval '5 minutes' AND clock_timestamp() + interval '10 minutes' FROM interlock.store"))
                .isEqualTo(true);
    }

    @Test
    void holders_go_on_and_may_give_back_while_nothing_is_granted() throws SQLException {
        Lock lock = granted(store.acquire(asker("alice")));
        Server.execute(database, RESTORED);
        assertNothingIsGranted();

        assertThat(store.renew(lock)).isInstanceOf(Renewal.Renewed.class);
        assertThat(store.release(lock)).isEqualTo(new Release.Released());
    }

    /** The first to meet the restored server, before anybody asked for a lock. */
    @Test
    void a_release_hands_nothing_over_while_nothing_is_granted() throws Exception {
        Lock lock = granted(store.acquire(asker("alice")));
        var place = queued(store.enter(asker("bob"), LEASE, 10)).place();
        Server.execute(database, RESTORED);

        assertThat(store.release(lock)).isEqualTo(new Release.Released());

        assertThat(epoch()).isEqualTo(1);
        assertThat(store.find(NAME).orElseThrow().status()).isEqualTo(Lock.Status.RELEASED);
        assertThat(place.standing()).isPresent();
        letLeasesRunOut();
        Handover handover = place.handover().get(60, TimeUnit.SECONDS);
        assertThat(granted(handover).token()).isEqualTo(FIRST_OF_NEXT_EPOCH);
    }

    @Test
    void a_set_is_refused_like_a_single_lock() throws SQLException {
        Server.execute(database, RESTORED);

        var refusal = catchThrowableOfType(StoreUnavailable.class, () -> store.acquireAll(List.of(asker("alice"))));

        assertThat(refusal.kind()).isEqualTo(Kind.RECOVERING);
        assertThat(epoch()).isEqualTo(1);
    }

    @Test
    void a_server_that_only_crashed_has_forgotten_nothing() throws SQLException {
        Lock lock = granted(store.acquire(asker("alice")));

        server.crash();
        server.start();

        assertThat(store.renew(lock)).isInstanceOf(Renewal.Renewed.class);
        store.release(lock);
        assertThat(granted(store.acquire(asker("bob"))).token()).isEqualTo(lock.token() + 1);
        assertThat(epoch()).isZero();
    }

    private void assertNothingIsGranted() throws SQLException {
        var refusal = catchThrowableOfType(
                StoreUnavailable.class,
                () -> store.acquire(Asker.named("eager", LEASE).asks(LockName.of("anything"))));
        assertThat(refusal.kind()).isEqualTo(Kind.RECOVERING);
        assertThat(refusal).hasMessageContaining("Nothing is granted until");
        assertThat(epoch()).isEqualTo(1);
    }

    private void letLeasesRunOut() {
        Server.execute(database, "UPDATE interlock.store SET grants_resume_at = clock_timestamp()");
    }

    private int epoch() throws SQLException {
        return (int) Session.askOnce(database, "SELECT epoch FROM interlock.store");
    }

    private static dev.interlock.core.Ask asker(String name) {
        return Asker.named(name, LEASE).asks(NAME);
    }
}

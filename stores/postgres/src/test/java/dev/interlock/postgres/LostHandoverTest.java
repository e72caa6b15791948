package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Place;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.SetAcquisition;
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

/**
 * A hand-over is not waited for on disk. In each of these alice has given the lock to bob, who was told and works, and
 * PostgreSQL is killed before it has written that down: it comes back believing that alice holds the lock and bob waits.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(300)
class LostHandoverTest {
    private static final LockName NAME = LockName.of("production/deployment/payment-api");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LONG = Duration.ofMinutes(30);

    private static Server server;
    private PGSimpleDataSource database;
    private final Asker alice = Asker.named("alice", LEASE);
    private final Asker bob = Asker.named("bob", LEASE);
    private final Asker carol = Asker.named("carol", LEASE);
    private PostgresLockStore hers;
    private PostgresLockStore his;
    private PostgresLockStore third;

    @BeforeAll
    static void startServer() {
        // So that a commit which nobody waits for is still in memory when the server is killed.
        server = Server.start(18, "wal_writer_delay=10s");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        database = server.database("handovers");
        hers = PostgresLockStore.open(database, SystemPorts.create());
        his = PostgresLockStore.open(database, SystemPorts.create());
        third = PostgresLockStore.open(database, SystemPorts.create());
    }

    @AfterEach
    void close() {
        hers.close();
        his.close();
        third.close();
    }

    @Test
    void renewing_sets_it_right() throws Exception {
        Lock bobs = handedToBobAndLost();

        assertStillHis();

        assertHeldBy(bobs);
        assertThat(his.release(bobs)).isEqualTo(new Release.Released());
        assertThat(history()).isEqualTo("{1:exec-zoe:RELEASED,2:exec-alice:RELEASED,3:exec-bob:RELEASED}");
    }

    @Test
    void renewing_one_lock_sets_it_right() throws Exception {
        Lock bobs = handedToBobAndLost();

        assertThat(his.renew(bobs)).isInstanceOf(Renewal.Renewed.class);

        assertHeldBy(bobs);
    }

    @Test
    void releasing_sets_it_right() throws Exception {
        Lock bobs = handedToBobAndLost();
        Place next = place(third, carol);

        assertThat(his.release(bobs)).isEqualTo(new Release.Released());

        assertThat(granted(next).token()).isEqualTo(bobs.token() + 1);
        assertThat(history()).isEqualTo("{1:exec-zoe:RELEASED,2:exec-alice:RELEASED,3:exec-bob:RELEASED}");
    }

    @Test
    void saying_the_release_again_sets_it_right() throws Exception {
        Lock bobs = handedToBobAndLost();

        hers.find(NAME);

        Session.awaitTrue(database, "SELECT token = ? FROM interlock.lock", bobs.token());
        assertHeldBy(bobs);
        assertStillHis();
    }

    /** Alice -> bob -> carol, all of it forgotten; the last says what she has before the others have said anything. */
    @Test
    void the_last_of_several_sets_all_of_it_right() throws Exception {
        Lock last = handedToCarolAndLost();

        assertThat(takenFrom(third, carol)).isEmpty();

        assertHeldBy(last);
        assertThat(history()).isEqualTo("{1:exec-zoe:RELEASED,2:exec-alice:RELEASED,3:exec-bob:RELEASED}");
        his.find(NAME);
        hers.find(NAME);
        assertThat(third.release(last)).isEqualTo(new Release.Released());
        Session.awaitTrue(database, "SELECT NOT held AND token = 4 FROM interlock.lock");
        assertThat(history())
                .isEqualTo("{1:exec-zoe:RELEASED,2:exec-alice:RELEASED,3:exec-bob:RELEASED,4:exec-carol:RELEASED}");
    }

    /** The lock has gone to bob, who died with the server; carol follows, and a token is not given twice. */
    @Test
    void whoever_follows_one_that_died_has_a_higher_token() throws Exception {
        Lock bobs = handedToBobAndLost();
        Place next = place(third, carol);
        expire(bob);
        expire(alice);

        assertThat(granted(next).token()).isGreaterThan(bobs.token());
    }

    /** The same with nobody in the queue when the lock is asked for. */
    @Test
    void whoever_comes_after_one_that_died_has_a_higher_token() throws Exception {
        Lock bobs = handedToBobAndLost();
        expire(bob);
        expire(alice);

        assertThat(granted(third.acquire(carol.asks(NAME))).token()).isGreaterThan(bobs.token());
    }

    /** Bob was ready to wait for a while that is over by now: he seems to have given up, and works. */
    @Test
    void one_who_seems_to_have_waited_too_long_is_not_passed_over_before_he_had_to_say_so() throws Exception {
        Lock bobs = handedToBobAndLost();
        Place next = place(third, carol);
        Server.execute(database, "UPDATE interlock.waiter SET until = clock_timestamp() WHERE ticket = 2");
        expire(alice);
        assertThat(third.acquire(Asker.named("dave", LEASE).asks(NAME))).isInstanceOf(Acquisition.Held.class);
        assertThat(next.handover()).isNotDone();

        assertStillHis();

        assertHeldBy(bobs);
        his.release(bobs);
        assertThat(granted(next).token()).isGreaterThan(bobs.token());
    }

    @Test
    void one_who_seems_to_have_waited_too_long_is_passed_over_when_he_has_not_said_so_within_his_lease()
            throws Exception {
        Lock bobs = handedToBobAndLost();
        Place next = place(third, carol);
        Server.execute(
                database,
                "UPDATE interlock.waiter SET until = clock_timestamp() WHERE ticket = 2",
                "SELECT interlock.check_server()",
                "UPDATE interlock.unbroken SET since = since - interval '10 minutes'");
        expire(alice);

        assertThat(granted(next).token()).isGreaterThan(bobs.token());
        assertThat(takenFrom(his, bob))
                .containsExactly(new LeaseRenewal.Taken(NAME, bobs.token(), Loss.Cause.SUPERSEDED));
        assertThat(his.release(bobs)).isInstanceOf(Lost.class);
    }

    @Test
    void one_whom_a_person_takes_from_the_queue_is_not_passed_over_either() throws Exception {
        Lock bobs = handedToBobAndLost();
        Place next = place(third, carol);

        assertThat(third.dropWaiter(NAME, 2, "dave")).isTrue();
        expire(alice);
        assertThat(third.acquire(Asker.named("dave", LEASE).asks(NAME))).isInstanceOf(Acquisition.Held.class);
        assertThat(next.handover()).isNotDone();
        assertStillHis();

        assertHeldBy(bobs);
    }

    /** Alice asks again under the same name before anybody has said anything: the server believes that she has the lock. */
    @Test
    void who_gave_it_back_and_asks_again_is_not_told_that_she_has_it() throws Exception {
        Lock bobs = handedToBobAndLost();

        assertThat(hers.acquire(alice.asks(NAME))).isInstanceOf(Acquisition.Held.class);

        assertHeldBy(bobs);
    }

    @Test
    void who_gave_it_back_and_asks_for_it_among_others_is_not_told_that_she_has_it() throws Exception {
        Lock bobs = handedToBobAndLost();

        SetAcquisition set = hers.acquireAll(List.of(alice.asks(NAME), alice.asks(LockName.of("another"))));

        assertThat(set).isInstanceOf(SetAcquisition.NoneGranted.class);
        assertHeldBy(bobs);
    }

    @Test
    void who_has_it_and_asks_again_is_told_that_she_has_it() throws Exception {
        Lock held = aliceThenBob().alices;
        crash(held);

        assertThat(granted(hers.acquire(alice.asks(NAME))).token()).isEqualTo(held.token());
        fence(held);
    }

    @Test
    void who_has_it_and_asks_for_it_among_others_is_told_that_she_has_it() throws Exception {
        Lock held = aliceThenBob().alices;
        crash(held);

        SetAcquisition set = hers.acquireAll(List.of(alice.asks(NAME), alice.asks(LockName.of("another"))));

        assertThat(((SetAcquisition.AllGranted) set).locks())
                .extracting(Lock::token)
                .contains(held.token());
    }

    /** A second request under bob's name finds his old place before he has said anything: it must not give up what he has. */
    @Test
    void who_has_it_and_enters_again_is_told_that_he_has_it() throws Exception {
        Lock bobs = handedToBobAndLost();

        assertThat(granted(his.enter(bob.asks(NAME), LONG, 10)).token()).isEqualTo(bobs.token());

        assertHeldBy(bobs);
    }

    /** The janitor holds a lock that was held twice, and goes before all who wait: not before one who may hold it. */
    @Test
    void a_hold_of_the_janitor_waits_for_him_as_well() throws Exception {
        Lock bobs = handedToBobAndLost();
        Server.execute(database, "SELECT interlock.freeze('" + NAME.value() + "', 1, 'janitor', 'held twice')");
        expire(alice);
        assertThat(third.acquire(carol.asks(NAME))).isInstanceOf(Acquisition.Held.class);
        assertThat(Session.askOnce(database, "SELECT held FROM interlock.lock")).isEqualTo(false);

        assertStillHis();

        assertHeldBy(bobs);
        his.release(bobs);
        assertThat(Session.askOnce(database, "SELECT execution FROM interlock.lock WHERE held"))
                .isEqualTo("janitor");
    }

    /** Word of a hand-over comes late: the process has said what it holds already, without this, and is not asked again. */
    @Test
    void word_of_it_that_comes_after_the_process_has_heard_of_the_crash_is_not_believed() throws Exception {
        Line line = aliceThenBob();
        crash(line.alices);
        assertStillHis();
        QueuedPlace place = (QueuedPlace) line.bobs;

        his.handed(
                place,
                new Granted(line.alices.token() + 1, bob.lease().id(), line.alices.seenAt(), null, 0)
                        .lock(bob.asks(NAME), new Leases()),
                0);

        assertThat(place.handover()).isNotDone();
        hers.release(line.alices);
        assertThat(granted(place).token()).isEqualTo(line.alices.token() + 1);
    }

    /** The same from another process, which cannot know. */
    @Test
    void who_gave_it_back_and_asks_again_elsewhere_is_not_told_that_she_has_it() throws Exception {
        Lock bobs = handedToBobAndLost();
        Ask elsewhere =
                new Ask(NAME, alice.holder(), Asker.named("alice", LEASE).lease());

        assertThat(third.acquire(elsewhere)).isInstanceOf(Acquisition.Held.class);

        assertStillHis();
        assertHeldBy(bobs);
    }

    /** Alice -> bob -> carol is forgotten; bob asks again and is taken for the bob who still waits. */
    @Test
    void who_had_his_turn_and_asks_again_does_not_have_it_once_more() throws Exception {
        Lock last = handedToCarolAndLost();

        Place again = place(his, bob);
        hers.find(NAME);

        Session.awaitTrue(database, "SELECT token = ? FROM interlock.lock", last.token());
        assertThat(again.handover()).isNotDone();
        third.release(last);
        assertThat(granted(again).token()).isGreaterThan(last.token());
    }

    @Test
    void a_guard_refuses_the_former_holder_until_it_is_known_who_has_it() throws Exception {
        Line line = aliceThenBob();
        hers.release(line.alices);
        Lock bobs = granted(line.bobs);
        crash(line.alices);

        assertThat(refusalOf(line.alices)).isEqualTo("40001");
        assertThat(refusalOf(bobs)).isEqualTo("IL003");
        assertStillHis();

        assertThat(refusalOf(line.alices)).isEqualTo("IL003");
        fence(bobs);
    }

    /** Nothing was lost: the holder who still has it says so, and is believed at once. */
    @Test
    void a_guard_believes_a_holder_that_has_said_that_it_still_has_it() throws Exception {
        Lock held = aliceThenBob().alices;
        crash(held);
        assertThat(refusalOf(held)).isEqualTo("40001");

        assertThat(takenFrom(hers, alice)).isEmpty();

        fence(held);
    }

    /** Saying what it holds must not wait for a transaction of its own, which may last longer than the lease. */
    @Test
    void the_first_renewal_does_not_wait_for_what_the_holder_is_writing() throws Exception {
        Line line = aliceThenBob();
        line.bobs.leave();
        crash(line.alices);
        try (Session writer = Session.open(database)) {
            writer.ask("SELECT interlock.fence(?, ?)", NAME.value(), line.alices.token());

            assertThat(takenFrom(hers, alice)).isEmpty();
        }
    }

    @Test
    void a_server_that_was_stopped_has_forgotten_nothing_and_nobody_is_asked() throws Exception {
        Lock held = aliceThenBob().alices;

        server.stop();
        server.start();

        fence(held);
    }

    private record Line(Lock alices, Place bobs) {}

    /** Alice was handed the lock herself, and knows that bob waits. */
    private Line aliceThenBob() throws Exception {
        Lock zoes = granted(hers.acquire(Asker.named("zoe", LEASE).asks(NAME)));
        Place alices = place(hers, alice);
        Place bobs = place(his, bob);
        hers.release(zoes);
        Line line = new Line(granted(alices), bobs);
        Server.execute(database, "UPDATE interlock.store SET pruned_at = pruned_at"); // waits for the disk
        return line;
    }

    private Lock handedToBobAndLost() throws Exception {
        Line line = aliceThenBob();
        hers.release(line.alices);
        Lock bobs = granted(line.bobs);
        crash(line.alices);
        return bobs;
    }

    /** Alice gave it to bob, and bob to carol. */
    private Lock handedToCarolAndLost() throws Exception {
        Line line = aliceThenBob();
        Place carols = place(third, carol);
        hers.release(line.alices);
        his.release(granted(line.bobs));
        Lock last = granted(carols);
        crash(line.alices);
        return last;
    }

    private void crash(Lock believed) throws SQLException {
        server.crash();
        server.start();
        assertThat(Session.askOnce(database, "SELECT token FROM interlock.lock WHERE held"))
                .as("the crash lost what was not waited for")
                .isEqualTo(believed.token());
    }

    private void assertStillHis() {
        assertThat(takenFrom(his, bob)).isEmpty();
    }

    private static List<LeaseRenewal.Taken> takenFrom(PostgresLockStore store, Asker asker) {
        LeaseRenewal renewal = store.renew(List.of(asker.lease())).getFirst();
        assertThat(renewal).isInstanceOf(LeaseRenewal.Renewed.class);
        return ((LeaseRenewal.Renewed) renewal).taken();
    }

    private static Place place(PostgresLockStore store, Asker asker) {
        Entry entry = store.enter(asker.asks(NAME), LONG, 10);
        return queued(entry).place();
    }

    private static Lock granted(Object answer) throws Exception {
        return Asker.granted(answer instanceof Place place ? place.handover().get(60, TimeUnit.SECONDS) : answer);
    }

    private void assertHeldBy(Lock lock) throws SQLException {
        assertThat(Session.askOnce(
                        database, "SELECT token || ' ' || execution || ' ' || lease FROM interlock.lock WHERE held"))
                .isEqualTo(lock.token() + " " + lock.grant().holder().execution() + " "
                        + lock.grant().lease());
    }

    private String history() throws SQLException {
        return (String)
                Session.askOnce(
                        database,
                        "SELECT array_agg(token || ':' || execution || ':' || event ORDER BY token)::text FROM interlock.history WHERE event <> 'REFUSED'");
    }

    private void expire(Asker asker) throws SQLException {
        Session.askOnce(
                database,
                "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = ?",
                asker.lease().id());
    }

    private void fence(Lock lock) throws SQLException {
        Session.askOnce(database, "SELECT interlock.fence(?, ?)", NAME.value(), lock.token());
    }

    private String refusalOf(Lock lock) {
        return catchThrowableOfType(SQLException.class, () -> fence(lock)).getSQLState();
    }
}

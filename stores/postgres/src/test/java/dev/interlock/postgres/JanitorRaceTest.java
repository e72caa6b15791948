package dev.interlock.postgres;

import static dev.interlock.postgres.Household.LEASE;
import static dev.interlock.postgres.Household.PATIENCE;
import static dev.interlock.postgres.Household.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import dev.interlock.core.work.Claimed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The janitor against whoever was believed dead, against another janitor, and against its own old list. */
class JanitorRaceTest extends HouseholdTest {
    /** A runner whose lease was over for longer than the grace, as somebody has seen. */
    private Finding seenLost() {
        house.age(LEASE.plus(PATIENCE.grace()));
        List<Finding> found = house.look();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    // heartbeat                              janitor
    //                                        sees the lease over
    // has the lease's row, renews it
    //                                        takes the lock's row, waits for the lease's
    // commits
    //                                        finds the lease alive: nothing to do
    @Test
    void a_heartbeat_that_was_faster_keeps_its_attempt() throws SQLException {
        Claimed claimed = house.start("deploy", TARGET);
        Finding seen = seenLost();
        try (Session heartbeat = Session.open(database)) {
            heartbeat.ask(
                    "UPDATE interlock.lease SET renewed_at = clock_timestamp(), expires_at = clock_timestamp() + duration RETURNING 1");
            var deed = Session.beside(() -> house.janitor.act(seen, PATIENCE));
            Session.awaitBlocked(database, 1);

            heartbeat.commit();

            assertThat(deed.join()).isEqualTo(new Deed.Moot(seen));
        }
        assertThat(house.now(claimed).phase()).isEqualTo(Phase.RUNNING);
        assertThat(house.complete(claimed)).isInstanceOf(Transition.Moved.class);
    }

    // janitor                                heartbeat
    // takes the rows of lock and lease, waits for the execution's
    //                                        waits for the lease's row
    // closes the attempt, ends the lease
    //                                        is told that it is over
    @Test
    void a_heartbeat_that_was_slower_learns_that_it_is_over() throws SQLException {
        Claimed claimed = house.start("deploy", TARGET);
        Finding seen = seenLost();
        Lease lease =
                new Lease(claimed.lock().grant().lease(), claimed.attempt().owner(), "worker", LEASE);
        try (Session other = Session.open(database)) {
            other.ask("SELECT id FROM interlock.execution FOR UPDATE");
            var deed = Session.beside(() -> house.janitor.act(seen, PATIENCE));
            Session.awaitBlocked(database, 1);
            var renewal = Session.beside(() -> house.work.locks().renew(List.of(lease)));
            Session.awaitBlocked(database, 2);

            other.rollback();

            assertThat(deed.join()).isInstanceOf(Deed.Done.class);
            assertThat(renewal.join().getFirst()).isInstanceOf(LeaseRenewal.Ended.class);
        }
        assertThat(house.now(claimed).phase()).isEqualTo(Phase.FAILED);
    }

    // runner                                 janitor
    //                                        sees the lease over
    // completes, under the lock that is still its own
    //                                        finds no such attempt: nothing to do
    @Test
    void a_finish_that_was_faster_counts() {
        Claimed claimed = house.start("deploy", TARGET);
        Finding seen = seenLost();

        assertThat(house.complete(claimed)).isInstanceOf(Transition.Moved.class);

        assertThat(house.janitor.act(seen, PATIENCE)).isEqualTo(new Deed.Moot(seen));
        assertThat(house.now(claimed).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(house.events("RELEASED")).isEqualTo(1);
        assertThat(house.events("EXPIRED")).isZero();
    }

    // janitor                                runner
    // takes the row of the lock, waits for the execution's
    //                                        completes: waits for the row of the lock
    // closes the attempt
    //                                        is told that its token is stale
    @Test
    void a_finish_that_was_slower_is_stale() throws SQLException {
        Claimed claimed = house.start("backup", TARGET);
        Finding seen = seenLost();
        try (Session other = Session.open(database)) {
            other.ask("SELECT id FROM interlock.execution FOR UPDATE");
            var deed = Session.beside(() -> house.janitor.act(seen, PATIENCE));
            Session.awaitBlocked(database, 1);
            var finish = Session.beside(() -> house.complete(claimed));
            Session.awaitBlocked(database, 2);

            other.rollback();

            assertThat(deed.join()).isInstanceOf(Deed.Done.class);
            assertThat(finish.join()).isEqualTo(new Transition.Stale(claimed.token(), 0));
        }
        assertThat(house.now(claimed).phase()).isEqualTo(Phase.PENDING);
        assertThat(house.events("STALE")).isEqualTo(1);
    }

    // one janitor                            another
    // waits for the row of the lock          waits for it too
    // closes the attempt
    //                                        finds it closed
    @Test
    void of_two_janitors_one_takes_over_and_there_is_one_event() throws SQLException {
        house.start("backup", TARGET);
        Finding seen = seenLost();
        PostgresWork elsewhere = PostgresWork.open(database, house.work.declared());
        try (Session other = Session.open(database)) {
            other.ask("SELECT name FROM interlock.lock FOR UPDATE");
            var one = Session.beside(() -> house.janitor.act(seen, PATIENCE));
            var two = Session.beside(() -> house.another(elsewhere).act(seen, PATIENCE));
            Session.awaitBlocked(database, 2);

            other.rollback();

            assertThat(List.of(one.join(), two.join()))
                    .hasOnlyElementsOfTypes(Deed.Done.class, Deed.Moot.class)
                    .doesNotHaveDuplicates();
        } finally {
            elsewhere.close();
        }
        assertThat(house.events("EXPIRED")).isEqualTo(1);
    }

    // one janitor sees the lease over, and is paused
    //                                        another closes the attempt; the next one starts and runs
    // acts on what it saw an hour ago
    private void an_old_list_harms_nobody(JanitorStore janitor) {
        house.start("backup", TARGET);
        Finding seen = seenLost();
        house.act(house.look());
        house.age(Duration.ofHours(1));
        Claimed second = house.claim("successor");

        janitor.act(seen, PATIENCE);

        assertThat(house.now(second).phase()).isEqualTo(Phase.RUNNING);
        assertThat(house.lock(TARGET).isHeld()).isTrue();
        assertThat(house.lock(TARGET).token()).isEqualTo(second.token());
        assertThat(house.complete(second)).isInstanceOf(Transition.Moved.class);
    }

    @Test
    void a_janitor_that_was_paused_harms_nobody() {
        an_old_list_harms_nobody(house.janitor);
    }

    /** The rule catches a janitor that acts on what it saw. */
    @Test
    void a_janitor_that_does_not_look_again_is_caught() {
        assertThatThrownBy(() -> an_old_list_harms_nobody(new Blind(house))).isInstanceOf(AssertionError.class);
    }

    /** Two steps, and no second look, as in the design that this one replaces. */
    private record Blind(Household house) implements JanitorStore {
        @Override
        public Sight look(Patience patience, int most) {
            return house.janitor.look(patience, most);
        }

        @Override
        public List<Finding> inspect(Patience patience, Duration back, int most) {
            return List.of();
        }

        @Override
        public Deed act(Finding finding, Patience patience) {
            Finding.ExpiredAttempt expired = (Finding.ExpiredAttempt) finding;
            house.ask(
                    "UPDATE interlock.lock SET held = false, ending = 'EXPIRED', ended_at = clock_timestamp() WHERE name = ? RETURNING 1",
                    expired.target());
            house.ask("""
                    UPDATE interlock.execution SET phase = 'FAILED', ended_at = clock_timestamp(),
                           ending = '{"kind":"UNKNOWN","class":"TRANSIENT","code":"WORKER_TIMEOUT","message":"lost"}'
                     WHERE id = ? RETURNING 1""", expired.execution());
            return new Deed.Done(finding, "");
        }
    }
}

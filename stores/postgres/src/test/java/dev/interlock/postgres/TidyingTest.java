package dev.interlock.postgres;

import static dev.interlock.postgres.Household.CLUSTER;
import static dev.interlock.postgres.Household.HOUR;
import static dev.interlock.postgres.Household.LEASE;
import static dev.interlock.postgres.Household.PATIENCE;
import static dev.interlock.postgres.Household.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Entry;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Everything else that the janitor puts right or tells of. */
class TidyingTest extends HouseholdTest {
    /** It is put right, and then it is not found again; an act on what was seen before comes to nothing. */
    private void done(List<Finding> found) {
        assertThat(house.act(found)).isInstanceOf(Deed.Done.class);
        assertThat(house.look()).isEmpty();
        assertThat(house.inspect()).isEmpty();
        assertThat(house.act(found)).isEqualTo(new Deed.Moot(found.getFirst()));
    }

    @Test
    void where_all_is_well_nothing_is_found() {
        house.start("backup", TARGET);
        house.submit("backup", TARGET);
        assertThat(house.claimAll("second")).isEmpty();
        house.work.locks().acquire(house.stranger("laptop/lock"));

        assertThat(house.look()).isEmpty();
        assertThat(house.inspect()).isEmpty();
    }

    @Test
    void the_holder_of_a_lock_without_its_execution_is_told_to_stop() {
        Claimed claimed = house.start("backup", TARGET);
        Server.execute(
                database,
                "UPDATE interlock.execution SET phase = 'COMPLETED', ended_at = clock_timestamp(), attempts = '[]', attempt = 0");

        done(house.inspect());

        assertThat(house.lock(TARGET).status()).isEqualTo(Lock.Status.RELEASING);
        assertThat(house.events("FORCE_ORDERED")).isEqualTo(1);
        house.age(LEASE);
        assertThat(house.lock(TARGET).isHeld()).isFalse();
        assertThat(claimed.token()).isEqualTo(house.lock(TARGET).token());
    }

    @Test
    void whoever_waits_for_nobody_may_go_on() {
        Execution stranded = house.submit("backup", TARGET);
        Server.execute(database, "UPDATE interlock.execution SET turn = 'PARKED'");
        assertThat(house.claimAll("worker")).isEmpty();

        done(house.inspect());

        assertThat(house.claim("worker").execution().id()).isEqualTo(stranded.id());
        assertThat(house.events("STRANDED")).isEqualTo(1);
    }

    @Test
    void waiters_that_are_gone_lose_their_place() {
        house.work.locks().acquire(house.stranger(TARGET));
        assertThat(house.work.locks().enter(house.stranger(TARGET), HOUR, 10)).isInstanceOf(Entry.Queued.class);
        Server.execute(
                database,
                "UPDATE interlock.lease SET expires_at = clock_timestamp() WHERE id = (SELECT lease FROM interlock.waiter)");

        done(house.inspect());

        assertThat(house.ask("SELECT count(*) FROM interlock.waiter")).isEqualTo(0L);
        assertThat(house.ask("SELECT queued FROM interlock.lock WHERE name = ?", TARGET))
                .isEqualTo(false);
        assertThat(house.events("WAITERS_GONE")).isEqualTo(1);
    }

    @Test
    void workers_that_are_gone_are_forgotten() {
        Claimed claimed = house.start("backup", TARGET);
        house.ask("""
                INSERT INTO interlock.worker (id, lease, slots, workflows, version, since)
                VALUES (?, ?, 4, '{backup}', '1', clock_timestamp()) RETURNING 1""", claimed.attempt().owner(), claimed.lock().grant().lease());
        assertThat(house.look()).isEmpty();
        house.complete(claimed);
        house.age(LEASE.plus(PATIENCE.grace()));

        done(house.look());

        assertThat(house.ask("SELECT count(*) FROM interlock.worker")).isEqualTo(0L);
        assertThat(house.events("WORKER_GONE")).isEqualTo(1);
    }

    @Test
    void what_runs_longer_than_its_timeout_is_cancelled() {
        Claimed claimed = house.start("backup", TARGET);
        ranFor(Duration.ofMinutes(10).plus(PATIENCE.grace()).minusSeconds(5));
        assertThat(house.look()).isEmpty();
        ranFor(Duration.ofMinutes(10).plus(PATIENCE.grace()));

        done(house.look());

        assertThat(house.standing(claimed.execution().id()).cancelledBy()).isEqualTo("janitor");
        assertThat(house.now(claimed).phase()).isEqualTo(Phase.RUNNING);
        assertThat(house.events("CANCEL_ORDERED")).isEqualTo(1);
    }

    @Test
    void of_what_runs_for_ninety_minutes_somebody_is_told_once() {
        Claimed claimed = house.start("deploy", TARGET);
        ranFor(Duration.ofMinutes(90));

        done(house.look());

        assertThat(house.now(claimed).phase()).isEqualTo(Phase.RUNNING);
        assertThat(house.events("RUNNING_LONG")).isEqualTo(1);
    }

    private void ranFor(Duration time) {
        house.ask(
                "UPDATE interlock.execution SET started_at = clock_timestamp() - ?::interval RETURNING 1",
                time.toString());
    }

    @Test
    void a_resource_whose_time_is_over_is_destroyed() {
        expired("READY");

        done(house.inspect());

        Claimed destroying = house.claim("worker");
        assertThat(destroying.execution().request().workflow()).isEqualTo("JANITOR_DESTROY");
        assertThat(destroying.execution().request().requester()).isEqualTo("janitor");
        house.complete(destroying);
        assertThat(house.work.resource(CLUSTER).state()).isEqualTo("DESTROYED");
        assertThat(house.inspect()).isEmpty();
    }

    @Test
    void where_a_person_destroys_already_the_janitor_joins() {
        expired("READY");
        List<Finding> seen = house.inspect();
        house.submit("DESTROY", CLUSTER);

        assertThat(house.inspect()).isEmpty();
        assertThat(house.act(seen)).isInstanceOf(Deed.Moot.class);

        house.complete(house.claim("worker"));
        assertThat(house.inspect()).isEmpty();
    }

    @Test
    void what_is_being_worked_on_is_not_destroyed_meanwhile() {
        expired("CREATING");

        assertThat(house.inspect()).isEmpty();
    }

    @Test
    void a_destruction_that_failed_waits_for_a_person() {
        expired("READY");
        house.act(house.inspect());
        house.claim("worker");
        house.lose();
        assertThat(house.work.resource(CLUSTER).state()).isEqualTo("FAILED");
        house.ask("UPDATE interlock.resource SET expires_at = expires_at - interval '2 hours' RETURNING 1");
        assertThat(house.inspect()).isEmpty();

        String id = house.dead
                .list(dev.interlock.core.Page.Request.FIRST)
                .items()
                .getFirst()
                .execution()
                .id();
        house.dead.discard(id, "alice", "try again");

        assertThat(house.inspect()).hasSize(1).first().isInstanceOf(Finding.ResourceExpired.class);
    }

    private void expired(String state) {
        house.work.register(CLUSTER, "cluster", Map.of());
        house.ask(
                "UPDATE interlock.resource SET state = ?, expires_at = clock_timestamp() - interval '1 minute' RETURNING 1",
                state);
    }

    @Test
    void two_grants_at_once_freeze_a_free_target() {
        Claimed ten = house.start("backup", TARGET);
        house.age(Duration.ofSeconds(10));
        house.complete(ten);
        forge();

        done(house.inspect());

        assertFrozen();
        assertThat(house.events("INVARIANT")).isEqualTo(1);
        house.submit("backup", TARGET);
        assertThat(house.claimAll("worker")).isEmpty();
    }

    @Test
    void two_grants_at_once_freeze_a_busy_target_as_soon_as_its_holder_has_stopped() {
        Claimed running = house.start("backup", TARGET);
        house.submit("backup", TARGET);
        assertThat(house.work.locks().enter(house.stranger(TARGET), HOUR, 10)).isInstanceOf(Entry.Queued.class);
        house.age(Duration.ofSeconds(10));
        forge();

        done(house.inspect());

        assertThat(house.lock(TARGET).status()).isEqualTo(Lock.Status.RELEASING);
        house.complete(running);
        assertFrozen();
    }

    /** A tenure that overlaps with the latest one. */
    private void forge() {
        house.ask("""
                INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at)
                SELECT l.name, 0, 'RELEASED', 'forged', 1, 'x', 'x', l.acquired_at - interval '1 minute', clock_timestamp()
                  FROM interlock.lock l WHERE l.name = ? RETURNING 1""", TARGET);
    }

    private void assertFrozen() {
        Lock lock = house.work.locks().find(LockName.of(TARGET)).orElseThrow();
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.grant().maintenance().reason()).startsWith("INVARIANT VIOLATED: lock 'production/db'");
    }

    @Test
    void of_an_old_dead_letter_somebody_is_told_once_and_after_a_fortnight_it_goes() {
        Claimed lost = house.start("deploy", TARGET);
        house.lose();
        assertThat(house.inspect()).isEmpty();
        house.age(HOUR);
        done(house.inspect());
        assertThat(house.events("DEAD_LETTER_OLD")).isEqualTo(1);

        house.age(Duration.ofDays(14));
        done(house.inspect());

        assertThat(house.standing(lost.execution().id()).deadSince()).isNull();
        assertThat(house.events("PURGED")).isEqualTo(1);
        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
    }
}

package dev.interlock.postgres;

import static dev.interlock.postgres.Household.CLUSTER;
import static dev.interlock.postgres.Household.LEASE;
import static dev.interlock.postgres.Household.PATIENCE;
import static dev.interlock.postgres.Household.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Lock;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.janitor.Brake;
import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an attempt whose runner is gone. */
class TakingOverTest extends HouseholdTest {
    @Test
    void what_may_be_repeated_waits_for_another_attempt() {
        Claimed lost = house.start("backup", TARGET);

        Deed deed = house.lose();

        assertThat(deed).isInstanceOf(Deed.Done.class);
        assertThat(house.now(lost).phase()).isEqualTo(Phase.PENDING);
        Failure failure = house.now(lost).attempts().getFirst().end().failure();
        assertThat(failure.kind()).isEqualTo(FailureKind.UNKNOWN);
        assertThat(failure.code()).isEqualTo("WORKER_TIMEOUT");
        assertThat(house.lock(TARGET).isHeld()).isFalse();
        assertThat(house.ask("SELECT phase || ' ' || actor FROM interlock.history WHERE event = 'EXPIRED'"))
                .isEqualTo("PENDING janitor");
        house.age(Duration.ofHours(1));
        assertThat(house.claim("successor").execution().id())
                .isEqualTo(lost.execution().id());
    }

    @Test
    void what_may_not_be_repeated_fails_is_a_dead_letter_and_lets_the_next_in_line_go_on() {
        Claimed lost = house.start("deploy", TARGET);
        var next = house.submit("backup", TARGET);
        assertThat(house.claimAll("second")).isEmpty();

        house.lose();

        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
        assertThat(house.standing(lost.execution().id()).deadSince()).isNotNull();
        Claimed following = house.claim("second");
        assertThat(following.execution().id()).isEqualTo(next.id());
        assertThat(following.token()).isGreaterThan(lost.token());
    }

    @Test
    void a_runner_may_report_until_the_grace_is_over() {
        house.start("backup", TARGET);
        house.age(LEASE.plus(PATIENCE.grace()).minusSeconds(5));
        assertThat(house.look()).isEmpty();

        house.age(Duration.ofSeconds(5));

        assertThat(house.look()).hasSize(1).first().isInstanceOf(Finding.ExpiredAttempt.class);
    }

    @Test
    void a_resource_stays_in_the_hands_of_what_is_repeated_and_ends_in_its_failure_state_otherwise() {
        house.work.register(CLUSTER, "cluster", Map.of());
        house.ask("UPDATE interlock.resource SET state = 'READY' WHERE target = ? RETURNING 1", CLUSTER);
        Claimed scaling = house.start("SCALE_WORKERS", CLUSTER);

        house.lose();

        assertThat(house.work.resource(CLUSTER).state()).isEqualTo("SCALING");
        assertThat(house.work.resource(CLUSTER).under())
                .isEqualTo(scaling.execution().id());
        house.age(Duration.ofHours(1));
        house.complete(house.claim("successor"));
        house.start("DESTROY", CLUSTER);
        house.lose();
        assertThat(house.work.resource(CLUSTER).state()).isEqualTo("FAILED");
        assertThat(house.work.resource(CLUSTER).under()).isNull();
        assertThat(house.ask("SELECT state FROM interlock.history WHERE event = 'EXPIRED' ORDER BY token DESC LIMIT 1"))
                .isEqualTo("FAILED");
    }

    @Test
    void whoever_waits_for_the_lock_gets_it_and_the_line_follows_later() {
        house.start("deploy", TARGET);
        var waiting = house.work.locks().enter(house.stranger(TARGET), Duration.ofHours(20), 10);
        assertThat(waiting).isInstanceOf(dev.interlock.core.Entry.Queued.class);

        // The waiter may find the lock free before the janitor does; then the janitor waits its grace from there.
        house.age(Household.LEASE.plus(Household.PATIENCE.grace()));
        house.age(Household.PATIENCE.grace());
        house.act(house.look());

        assertThat(house.lock(TARGET).isHeld()).isTrue();
        assertThat(house.lock(TARGET).holder().user()).isEqualTo("bob");
    }

    @Test
    void a_lock_that_has_moved_on_is_left_to_whoever_has_it() {
        Claimed lost = house.start("deploy", TARGET);
        house.age(LEASE);
        Lock taken = ((Acquisition.Granted) house.work.locks().acquire(house.stranger(TARGET))).lock();
        house.age(PATIENCE.grace());

        house.act(house.look());

        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
        assertThat(house.lock(TARGET).token()).isEqualTo(taken.token());
        assertThat(house.lock(TARGET).isHeld()).isTrue();
        assertThat(house.events("LOST")).isEqualTo(1);
        assertThat(house.events("EXPIRED")).isEqualTo(1);
    }

    @Test
    void what_kills_its_workers_is_given_up_after_three_of_them() {
        Claimed lost = house.start("backup", TARGET);
        for (int crash = 1; crash < 3; crash++) {
            house.lose();
            assertThat(house.now(lost).phase()).isEqualTo(Phase.PENDING);
            house.age(Duration.ofHours(1));
            house.claim("worker-" + crash);
        }

        house.lose();

        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
        assertThat(house.now(lost).attempts()).hasSize(3);
        assertThat(house.standing(lost.execution().id()).deadSince()).isNotNull();
    }

    @Test
    void what_somebody_wanted_stopped_is_not_begun_again() {
        Claimed lost = house.start("backup", TARGET);
        house.work.executions().cancel(lost.execution().id(), "alice", "enough");

        house.lose();

        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void what_runs_without_a_lock_fails_and_no_later_token_is_below_its_own() {
        Claimed lost = house.start("backup", TARGET);
        Server.execute(
                database,
                "UPDATE interlock.execution SET token = 1000",
                "DELETE FROM interlock.lock",
                "DELETE FROM interlock.lease");

        Deed deed = house.act(house.look());

        assertThat(deed.finding()).isInstanceOf(Finding.LockStateLost.class);
        assertThat(house.now(lost).phase()).isEqualTo(Phase.FAILED);
        assertThat(house.now(lost).attempts().getFirst().end().failure().code()).isEqualTo("LOCK_STATE_LOST");
        assertThat(house.ask("SELECT phase FROM interlock.history WHERE event = 'LOCK_STATE_LOST'"))
                .isEqualTo("FAILED");
        assertThat(house.start("backup", TARGET).token()).isGreaterThan(1000);
    }

    @Test
    void a_restored_lock_is_behind_the_attempt_that_runs() {
        house.start("backup", TARGET);
        Server.execute(
                database,
                "UPDATE interlock.execution SET token = 1000",
                "UPDATE interlock.lock SET token = 999, held = false, ending = 'RELEASED', ended_at = clock_timestamp()");

        house.act(house.look());

        assertThat(house.start("backup", TARGET).token()).isEqualTo(1001);
    }

    @Test
    void nobody_judges_while_the_lock_was_only_just_found_missing() {
        house.start("backup", TARGET);
        Server.execute(database, "DELETE FROM interlock.lock");

        assertThat(house.janitor
                        .look(dev.interlock.core.janitor.Patience.DEFAULT, 100)
                        .findings())
                .isEmpty();
    }

    /** Whichever of its writes fails, nothing has changed; and the next try succeeds. */
    @ParameterizedTest
    @ValueSource(strings = {"execution", "resource", "lease", "history", "lock"})
    void a_takeover_that_is_cut_short_leaves_nothing_half_done(String table) {
        house.work.register(CLUSTER, "cluster", Map.of());
        house.start("CREATE", CLUSTER);
        house.age(LEASE.plus(PATIENCE.grace()));
        List<Finding> found = house.look();
        String before = all();
        Server.execute(
                database,
                "CREATE FUNCTION pg_temp_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut'; END $$",
                "CREATE TRIGGER cut AFTER INSERT OR UPDATE ON interlock." + table
                        + " FOR EACH ROW EXECUTE FUNCTION pg_temp_fail()");
        try {
            assertThatThrownBy(() -> house.act(found)).isInstanceOf(StoreUnavailable.class);
            assertThat(all()).isEqualTo(before);
        } finally {
            Server.execute(database, "DROP TRIGGER cut ON interlock." + table, "DROP FUNCTION pg_temp_fail()");
        }

        assertThat(house.act(found)).isInstanceOf(Deed.Done.class);
        assertThat(all()).isNotEqualTo(before);
    }

    private String all() {
        return (String) house.ask("""
                SELECT (SELECT string_agg(x::text, '|') FROM interlock.execution x) || (SELECT string_agg(l::text, '|') FROM interlock.lock l)
                       || (SELECT string_agg(e::text, '|') FROM interlock.lease e) || (SELECT string_agg(r::text, '|') FROM interlock.resource r)
                       || (SELECT count(*) FROM interlock.history)""");
    }

    @Test
    void the_census_tells_what_the_brake_goes_by() {
        for (int n = 0; n < 6; n++) {
            house.submit("backup", TARGET + n);
        }
        assertThat(house.claimAll("worker")).hasSize(6);
        house.age(LEASE);

        Census census = house.janitor.look(PATIENCE, 100).census();

        assertThat(census.running()).isEqualTo(6);
        assertThat(census.expired()).isEqualTo(6);
        assertThat(census.longestLease()).isEqualTo(LEASE);
        assertThat(census.serverStartedAt()).isBefore(census.seenAt());
        assertThat(census.grantsResumeAt()).isNull();
        assertThat(census.firstExpiry()).isBetween(census.seenAt().minusSeconds(60), census.seenAt());
        Instant longRunning = census.seenAt().minus(Duration.ofDays(1));
        assertThat(Brake.judge(new Census(
                        census.seenAt(), longRunning, null, 6, 6, census.firstExpiry(), census.longestLease())))
                .isInstanceOf(Brake.On.class);
    }

    @Test
    void one_round_takes_no_more_than_it_is_told() {
        for (int n = 0; n < 6; n++) {
            house.submit("backup", TARGET + n);
        }
        house.claimAll("worker");
        house.age(Duration.ofHours(1));

        assertThat(house.janitor.look(PATIENCE, 4).findings()).hasSize(4);
    }
}

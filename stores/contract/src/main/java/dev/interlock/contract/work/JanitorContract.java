package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.Census;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What died is found by the store's clock and put right once, looked at again before anything is done. */
interface JanitorContract extends Work {
    Duration SHORT = Duration.ofSeconds(10);
    Duration LONG = Duration.ofSeconds(30);
    Duration GRACE = Duration.ofSeconds(10);
    Duration HOUR = Duration.ofHours(1);
    Patience PATIENCE = new Patience(GRACE, Duration.ofMinutes(1), Duration.ofMinutes(5), HOUR, Duration.ofDays(14), 3);

    @Test
    default void where_all_is_well_nothing_is_found() {
        start("backup", TARGET, runner("ada"));
        submit(request("backup", TARGET));
        assertThat(claimAll(runner("grace"))).isEmpty();
        locks().acquire(stranger(OTHER, MINUTE));

        assertThat(look()).isEmpty();
        assertThat(inspect()).isEmpty();
    }

    @Test
    default void a_lost_attempt_that_may_be_repeated_is_closed_and_another_follows() {
        Claimed lost = start("backup", TARGET, runner("ada"));
        age(SHORT.plus(GRACE));

        done(look());

        Execution after = now(lost.execution());
        assertThat(after.phase()).isEqualTo(Phase.PENDING);
        Attempt.End end = Objects.requireNonNull(after.attempts().getFirst().end());
        assertThat(Objects.requireNonNull(end.failure()).kind()).isEqualTo(FailureKind.UNKNOWN);
        assertThat(end.failure().code()).isEqualTo("WORKER_TIMEOUT");
        age(HOUR);
        Claimed second = claim(runner("grace"));
        assertThat(second.attempt().number()).isEqualTo(2);
        assertThat(second.token()).isGreaterThan(lost.token());
    }

    @Test
    default void a_lost_attempt_that_may_not_be_repeated_fails_is_a_dead_letter_and_lets_the_next_one_start() {
        Claimed lost = start("deploy", TARGET, runner("ada"));
        Execution next = submit(deploy(TARGET));
        assertThat(claimAll(runner("grace"))).isEmpty();
        age(LONG.plus(GRACE));

        done(look());

        assertThat(now(lost.execution()).phase()).isEqualTo(Phase.FAILED);
        assertThat(deadLetters().find(lost.execution().id())).isPresent();
        assertThat(claim(runner("grace")).execution().id()).isEqualTo(next.id());
    }

    @Test
    default void the_resource_of_a_lost_attempt_is_in_its_failure_state() {
        register(CLUSTER, "cluster", Map.of("name", "blue"));
        start("CREATE", CLUSTER, runner("ada"));
        age(LONG.plus(GRACE));

        done(look());

        assertThat(resource(CLUSTER)).isEqualTo(new Resource(Declared.CLUSTER, "FAILED", null));
    }

    @Test
    default void nobody_is_judged_before_the_grace_is_over() {
        start("backup", TARGET, runner("ada"));

        age(SHORT);

        assertThat(look()).isEmpty();
    }

    @Test
    default void whoever_told_its_end_after_all_is_not_judged() {
        Claimed late = start("deploy", TARGET, runner("ada"));
        age(LONG.plus(GRACE));
        Finding seen = one(look());
        complete(late);

        assertThat(janitor().act(seen, PATIENCE)).isEqualTo(new Deed.Moot(seen));
        assertThat(now(late.execution()).phase()).isEqualTo(Phase.COMPLETED);
    }

    @Test
    default void what_a_lost_attempt_tells_after_it_was_closed_is_stale() {
        Claimed lost = start("deploy", TARGET, runner("ada"));
        age(LONG.plus(GRACE));
        done(look());

        assertThat(finish(lost, new Outcome.Completed(0))).isInstanceOf(Transition.Stale.class);
        assertThat(now(lost.execution()).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void what_kills_its_workers_is_given_up_however_many_attempts_it_has_left() {
        Claimed lost = start("backup", TARGET, runner("ada"));
        age(SHORT.plus(GRACE));

        assertThat(janitor().act(one(look()), PATIENCE.withCrashes(1))).isInstanceOf(Deed.Done.class);

        assertThat(now(lost.execution()).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void what_somebody_wanted_stopped_is_not_begun_again() {
        Claimed lost = start("backup", TARGET, runner("ada"));
        here().cancel(lost.execution().id(), ALICE, "enough");
        age(SHORT.plus(GRACE));

        done(look());

        assertThat(now(lost.execution()).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void what_runs_longer_than_its_timeout_is_cancelled() {
        Runner ada = runner("ada");
        Claimed slow = start("check", TARGET, ada);
        live(ada.lease(LONG), MINUTE.plus(GRACE));
        Finding seen = one(look());

        assertThat(seen).isInstanceOf(Finding.Overdue.class);
        done(List.of(seen));

        assertThat(standing(slow.execution()).cancelledBy()).isEqualTo("janitor");
        assertThat(now(slow.execution()).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    default void of_what_runs_long_somebody_is_told_once() {
        Runner ada = runner("ada");
        Claimed slow = start("deploy", TARGET, ada);
        live(ada.lease(LONG), Duration.ofMinutes(5));
        Finding seen = one(look());

        assertThat(seen).isInstanceOf(Finding.RunningLong.class);
        done(List.of(seen));
        assertThat(now(slow.execution()).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    default void the_holder_of_a_lock_whose_execution_is_over_is_told_to_stop() {
        Execution over = complete(start("deploy", TARGET, runner("ada")));
        Ask ask = stranger(TARGET, MINUTE);
        locks().acquire(new Ask(ask.name(), new Holder(over.id(), 1, ask.lease().owner(), ALICE), ask.lease()));

        done(inspect());

        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.RELEASING);
    }

    @Test
    default void workers_that_are_gone_are_forgotten() {
        Lease lease = runner("ada").lease(LONG);
        workers().present(lease, 4, Set.of("deploy"), "1.0");
        assertThat(look()).isEmpty();
        age(LONG.plus(GRACE));

        Finding seen = one(look());
        assertThat(seen).isEqualTo(new Finding.GoneWorker(lease.owner()));
        done(List.of(seen));

        assertThat(workers().workers()).extracting(WorkerStore.Worker::id).doesNotContain(lease.owner());
    }

    @Test
    default void a_resource_whose_time_is_over_is_destroyed() {
        ready(HOUR);
        age(HOUR);

        done(inspect());

        Claimed destroying = claim(runner("ada"));
        assertThat(destroying.execution().request().workflow()).isEqualTo("JANITOR_DESTROY");
        complete(destroying);
        assertThat(resource(CLUSTER).state()).isEqualTo("DESTROYED");
        assertThat(inspect()).isEmpty();
    }

    @Test
    default void where_a_person_destroys_already_nothing_more_is_asked_for() {
        ready(HOUR);
        age(HOUR);
        Finding seen = one(inspect());
        submit(request("DESTROY", CLUSTER));

        assertThat(inspect()).isEmpty();
        assertThat(janitor().act(seen, PATIENCE)).isEqualTo(new Deed.Moot(seen));
    }

    @Test
    default void of_an_old_dead_letter_somebody_is_told_once_and_after_a_fortnight_it_goes() {
        Claimed lost = start("deploy", TARGET, runner("ada"));
        age(LONG.plus(GRACE));
        done(look());
        age(HOUR);

        Finding old = one(inspect());
        assertThat(old).isInstanceOf(Finding.DeadLetterOld.class);
        done(List.of(old));
        age(Duration.ofDays(14));
        Finding spent = one(inspect());
        assertThat(spent).isInstanceOf(Finding.DeadLetterSpent.class);
        done(List.of(spent));

        assertThat(deadLetters().list(Page.Request.FIRST).items()).isEmpty();
        assertThat(now(lost.execution()).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void the_census_counts_what_runs_and_what_is_over_and_a_look_takes_no_more_than_it_is_told() {
        for (int number = 0; number < 3; number++) {
            submit(deploy(TARGET + number));
        }
        assertThat(claimAll(runner("ada"))).hasSize(3);
        age(LONG.plus(GRACE));

        Census census = janitor().look(PATIENCE, 2).census();

        assertThat(census.running()).isEqualTo(3);
        assertThat(census.expired()).isEqualTo(3);
        assertThat(census.longestLease()).isEqualTo(LONG);
        assertThat(Objects.requireNonNull(census.firstExpiry())).isBeforeOrEqualTo(census.seenAt());
        assertThat(janitor().look(PATIENCE, 2).findings()).hasSize(2);
    }

    private Claimed start(String workflow, String target, Runner runner) {
        submit(request(workflow, target));
        return claim(runner);
    }

    /** The lease is kept alive for that long. */
    private void live(Lease lease, Duration time) {
        Duration step = lease.duration().multipliedBy(9).dividedBy(10);
        for (Duration left = time; left.isPositive(); left = left.minus(step)) {
            age(left.compareTo(step) < 0 ? left : step);
            locks().renew(List.of(lease));
        }
    }

    private void ready(Duration timeToLive) {
        register(CLUSTER, "cluster", Map.of("name", "blue"), timeToLive);
        complete(start("CREATE", CLUSTER, runner("creator")));
    }

    private List<Finding> look() {
        return janitor().look(PATIENCE, 100).findings();
    }

    private List<Finding> inspect() {
        return janitor().inspect(PATIENCE, HOUR, 100);
    }

    private static Finding one(List<Finding> found) {
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** It is put right, is not found again, and to act on it again comes to nothing. */
    private void done(List<Finding> found) {
        Finding finding = one(found);
        assertThat(janitor().act(finding, PATIENCE)).isInstanceOf(Deed.Done.class);
        assertThat(look()).isEmpty();
        assertThat(inspect()).isEmpty();
        assertThat(janitor().act(finding, PATIENCE)).isEqualTo(new Deed.Moot(finding));
    }
}

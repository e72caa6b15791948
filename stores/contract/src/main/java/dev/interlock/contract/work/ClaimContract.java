package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.Together;
import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Holder;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Release;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who claims has the target's lock, and nobody else has. */
interface ClaimContract extends Work {
    @Test
    default void a_claim_starts_the_attempt_and_takes_the_lock() {
        Runner ada = runner("ada");
        Execution submitted = submit(deploy(TARGET));

        Claimed claimed = claim(ada);

        assertThat(claimed.execution().request()).isEqualTo(submitted.request());
        assertThat(claimed.execution().phase()).isEqualTo(Phase.RUNNING);
        assertThat(claimed.attempt().number()).isEqualTo(1);
        assertThat(claimed.attempt().owner())
                .isEqualTo(ada.claimant().identity().owner());
        assertThat(claimed.attempt().token()).isEqualTo(claimed.token());
        assertThat(claimed.workflow()).isEqualTo(Declared.DEPLOY);
        assertThat(claimed.resource()).isNull();
        assertThat(claimed.lock().holder())
                .isEqualTo(new Holder(submitted.id(), 1, claimed.attempt().owner(), ALICE));
        assertThat(lock(TARGET).grant()).isEqualTo(claimed.lock().grant());
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(now(submitted)).isEqualTo(claimed.execution());
    }

    @Test
    default void each_runs_under_the_lease_that_its_workflow_wants() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        submit(request("backup", OTHER));

        assertThat(claimAll(ada))
                .extracting(claimed -> claimed.lock().grant().lease())
                .containsExactlyInAnyOrder(
                        ada.lease(Duration.ofSeconds(30)).id(),
                        ada.lease(Duration.ofSeconds(10)).id());
    }

    @Test
    default void nothing_is_claimed_twice() {
        submit(deploy(TARGET));
        claim(runner("ada"));

        assertThat(claimAll(runner("grace"))).isEmpty();
    }

    @Test
    default void a_worker_gets_at_most_as_many_as_it_asks_for() {
        here().submit(IntStream.range(0, 10).mapToObj(n -> deploy("t-" + n)).toList());

        assertThat(here().claim(runner("ada").claimant(), 3).started()).hasSize(3);
        assertThat(here().claim(runner("grace").claimant(), 100).started()).hasSize(7);
    }

    @Test
    default void a_worker_gets_only_what_it_offers() {
        submit(request("backup", TARGET));

        assertThat(claimAll(Runner.offering("ada", Set.of("deploy", "cluster/backup"))))
                .isEmpty();
        assertThat(claimAll(Runner.offering("grace", Set.of("backup")))).hasSize(1);
    }

    @Test
    default void the_greater_priority_goes_first_among_targets() {
        submit(deploy(TARGET));
        Execution urgent = submit(deploy(OTHER).withPriority(10));

        assertThat(here().claim(runner("ada").claimant(), 1).started())
                .extracting(claimed -> claimed.execution().id())
                .containsExactly(urgent.id());
    }

    @Test
    default void of_many_workers_one_gets_it() {
        IntStream.range(0, 20).forEach(n -> submit(deploy("t-" + n)));

        List<List<Claimed>> answers = Together.run(
                6,
                number -> (number % 2 == 0 ? here() : there())
                        .claim(runner("w-" + number).claimant(), 20)
                        .started());

        List<String> claimed = answers.stream()
                .flatMap(List::stream)
                .map(one -> one.execution().id())
                .toList();
        assertThat(claimed).doesNotHaveDuplicates();
        assertThat(claimed.size() + claimAll(runner("last")).size()).isEqualTo(20);
    }

    @Test
    default void a_target_whose_lock_somebody_holds_waits_until_it_is_free() {
        Lock held = ((Acquisition.Granted) locks().acquire(stranger(TARGET, Duration.ofHours(1)))).lock();
        Execution waiting = submit(deploy(TARGET));

        assertThat(claimAll(runner("ada"))).isEmpty();
        assertThat(locks().release(held)).isInstanceOf(Release.Released.class);
        age(Duration.ofSeconds(2));

        assertThat(claim(runner("ada")).execution().id()).isEqualTo(waiting.id());
    }

    @Test
    default void a_lock_that_has_expired_is_taken_over_with_a_greater_token() {
        Lock held = ((Acquisition.Granted) locks().acquire(stranger(TARGET, Duration.ofSeconds(5)))).lock();
        submit(deploy(TARGET));
        age(MINUTE);

        assertThat(claim(runner("ada")).token()).isGreaterThan(held.token());
    }

    @Test
    default void nobody_passes_those_who_wait_for_the_lock() {
        Lock held = ((Acquisition.Granted) locks().acquire(stranger(TARGET, Duration.ofHours(1)))).lock();
        Entry.Queued queued =
                (Entry.Queued) locks().enter(stranger(TARGET, Duration.ofHours(1)), Duration.ofHours(1), 10);
        submit(deploy(TARGET));
        locks().release(held);
        age(Duration.ofSeconds(2));

        assertThat(claimAll(runner("ada"))).isEmpty();
        assertThat(queued.place().handover().join()).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    default void whoever_asks_for_the_lock_itself_is_told_that_an_execution_holds_it() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        Acquisition answer = locks().acquire(stranger(TARGET, MINUTE));

        assertThat(answer).isInstanceOf(Acquisition.Held.class);
        assertThat(((Acquisition.Held) answer).current().token()).isEqualTo(claimed.token());
    }

    @Test
    default void tokens_grow_from_attempt_to_attempt() {
        submit(deploy(TARGET));
        submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        complete(first);

        assertThat(claim(runner("ada")).token()).isGreaterThan(first.token());
    }

    @Test
    default void nothing_starts_on_a_lease_that_has_ended() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        complete(claim(ada));
        submit(deploy(TARGET));
        age(Duration.ofHours(1));

        assertThatThrownBy(() -> claimAll(ada)).isInstanceOf(LeaseEnded.class);
        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    /** Whoever lost the lock to somebody else must not be believed. */
    @Test
    default void a_lost_runner_keeps_its_target_from_other_executions_until_somebody_judges_it() {
        Request request = deploy(TARGET);
        submit(request);
        claim(runner("ada"));
        submit(request);
        age(Duration.ofHours(1));

        assertThat(claimAll(runner("grace"))).isEmpty();
        assertThat(locks().find(LockName.of(TARGET)).orElseThrow().status()).isEqualTo(Lock.Status.EXPIRED);
    }
}

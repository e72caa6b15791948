package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Force;
import dev.interlock.core.Lock;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An attempt ends once, by whoever runs it, and its lock with it. */
interface FinishContract extends Work {
    @Test
    default void completion_ends_the_execution_and_frees_the_target() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        Execution completed = complete(claimed);

        assertThat(completed.phase()).isEqualTo(Phase.COMPLETED);
        assertThat(completed.attempts()).hasSize(1);
        Attempt.End end = Objects.requireNonNull(completed.attempts().getFirst().end());
        assertThat(end).isEqualTo(new Attempt.End(Objects.requireNonNull(completed.completedAt()), 0, null));
        assertThat(now(completed)).isEqualTo(completed);
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    default void a_failure_for_good_is_kept_among_the_dead_letters() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        Execution failed = Work.moved(finish(claimed, Work.failed(claimed, RetryClass.PERMANENT)));

        assertThat(failed.phase()).isEqualTo(Phase.FAILED);
        assertThat(failed.gravestFailure()).isEqualTo(FailureKind.STARTED);
        assertThat(Work.ending(Ending.Failed.class, failed).failure())
                .isEqualTo(new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "EXIT_1", "it broke"));
        assertThat(failed.attempts().getFirst().workBeganAt())
                .isEqualTo(claimed.attempt().startedAt());
        assertThat(now(failed)).isEqualTo(failed);
        assertThat(standing(failed).deadSince()).isNotNull();
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    default void finishes_are_answered_in_their_order_whatever_they_are() {
        IntStream.range(0, 4).forEach(n -> submit(deploy("t-" + n)));
        List<Claimed> all = claimAll(runner("ada"));

        List<Transition> answers = here().finish(List.of(
                Work.finishing(all.get(2), new Outcome.Completed(0)),
                new Finish(Execution.submitted("nobody", deploy("t-9"), Instant.EPOCH), 1, new Outcome.Completed(0)),
                Work.finishing(all.get(0), Work.failed(all.get(0), RetryClass.PERMANENT)),
                Work.finishing(all.get(3), new Outcome.HandedBack("drained")),
                Work.finishing(all.get(1), new Outcome.Completed(null))));

        assertThat(answers.get(1)).isEqualTo(new Transition.Stale(1, 0));
        assertThat(List.of(answers.get(0), answers.get(2), answers.get(3), answers.get(4)))
                .extracting(answer -> Work.moved(answer).phase())
                .containsExactly(Phase.COMPLETED, Phase.FAILED, Phase.PENDING, Phase.COMPLETED);
        assertThat(Work.moved(answers.get(4)).id())
                .isEqualTo(all.get(1).execution().id());
    }

    @Test
    default void a_finish_whose_answer_was_lost_may_be_repeated() {
        submit(deploy(TARGET));
        submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        Execution completed = complete(first);
        claim(runner("grace"));

        assertThat(finish(first, new Outcome.Completed(0))).isEqualTo(new Transition.Moved(completed));
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    default void a_failure_whose_answer_was_lost_may_be_repeated() {
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        Execution waiting = Work.moved(finish(first, Work.failed(first, RetryClass.TRANSIENT)));

        assertThat(finish(first, Work.failed(first, RetryClass.TRANSIENT))).isEqualTo(new Transition.Moved(waiting));
    }

    @Test
    default void a_token_that_is_not_the_attempts_changes_nothing() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        Transition answer = here().finish(
                        List.of(new Finish(claimed.execution(), claimed.token() + 1, new Outcome.Completed(0))))
                .getFirst();

        assertThat(answer).isEqualTo(new Transition.Stale(claimed.token() + 1, claimed.token()));
        assertThat(now(claimed.execution())).isEqualTo(claimed.execution());
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    default void an_earlier_attempt_cannot_end_a_later_one() {
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        finish(first, Work.failed(first, RetryClass.TRANSIENT));
        age(Duration.ofHours(2));
        Claimed second = claim(runner("grace"));

        Transition late = finish(first, new Outcome.Completed(0));

        assertThat(late).isEqualTo(new Transition.Stale(first.token(), second.token()));
        assertThat(now(second.execution())).isEqualTo(second.execution());
    }

    /** B11: the work ends as the lease does; the store decides. */
    @Test
    default void a_completion_after_the_lease_counts_while_nobody_has_taken_over() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        age(Duration.ofHours(1));

        assertThat(complete(claimed).phase()).isEqualTo(Phase.COMPLETED);
    }

    @Test
    default void a_completion_after_somebody_took_the_lock_over_is_stale() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        age(Duration.ofHours(1));
        assertThat(locks().acquire(stranger(TARGET, MINUTE))).isInstanceOf(Acquisition.Granted.class);

        assertThat(finish(claimed, new Outcome.Completed(0))).isInstanceOf(Transition.Stale.class);
        assertThat(now(claimed.execution()).phase()).isEqualTo(Phase.RUNNING);
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    default void one_whose_lock_is_being_taken_by_force_may_still_complete() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        locks().force(new Force(claimed.lock().name(), claimed.token(), ALICE, "it hangs", false));

        assertThat(complete(claimed).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(lock(TARGET).isHeld()).isFalse();
    }

    @Test
    default void what_was_never_begun_is_handed_back_for_anybody_and_is_no_attempt() {
        submit(request("backup", TARGET));
        for (int drained = 0; drained < 4; drained++) {
            Claimed claimed = claim(runner("w-" + drained));
            Work.moved(finish(claimed, new Outcome.HandedBack("the worker leaves")));
        }

        Claimed claimed = claim(runner("ada"));

        assertThat(claimed.attempt().number()).isEqualTo(5);
        assertThat(finish(claimed, Work.failed(claimed, RetryClass.TRANSIENT)))
                .extracting(answer -> Work.moved(answer).phase())
                .isEqualTo(Phase.PENDING);
    }

    @Test
    default void one_that_has_ended_can_never_end_again() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        Execution completed = complete(claimed);

        Transition answer = finish(claimed, Work.failed(claimed, RetryClass.PERMANENT));

        assertThat(answer).isNotInstanceOf(Transition.Moved.class);
        assertThat(now(completed)).isEqualTo(completed);
    }
}

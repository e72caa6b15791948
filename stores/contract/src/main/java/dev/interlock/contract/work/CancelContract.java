package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What waits is cancelled at once; what runs, when it is confirmed stopped. */
interface CancelContract extends Work {
    String BOB = "bob@example.com";

    @Test
    default void what_waits_is_over_at_once() {
        Execution waiting = submit(deploy(TARGET));

        Cancellation answer = here().cancel(waiting.id(), BOB, "not needed");

        assertThat(answer).isEqualTo(new Cancellation.Cancelled(now(waiting)));
        assertThat(now(waiting).ending()).isInstanceOf(Ending.Cancelled.class);
        assertThat(claimAll(runner("ada"))).isEmpty();
    }

    @Test
    default void what_runs_goes_on_until_its_runner_confirms() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));

        Cancellation answer = there().cancel(claimed.execution().id(), BOB, "wrong version");

        assertThat(answer).isEqualTo(new Cancellation.Stopping(claimed.execution()));
        assertThat(standing(claimed.execution()).cancelledBy()).isEqualTo(BOB);
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
    }

    @Test
    default void a_confirmed_stop_is_a_cancellation_by_whoever_asked_for_it() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        here().cancel(claimed.execution().id(), BOB, "wrong version");

        Execution cancelled = Work.moved(
                finish(claimed, new Outcome.Stopped(143, claimed.attempt().startedAt())));

        Ending.Cancelled ending = Work.ending(Ending.Cancelled.class, cancelled);
        assertThat(ending.by()).isEqualTo(BOB);
        assertThat(ending.reason()).isEqualTo("wrong version");
        assertThat(cancelled.gravestFailure()).isEqualTo(FailureKind.STARTED);
        assertThat(now(cancelled)).isEqualTo(cancelled);
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.RELEASED);
    }

    /** C7: one of them wins. */
    @Test
    default void work_that_completes_before_it_is_stopped_has_completed() {
        submit(deploy(TARGET));
        Claimed claimed = claim(runner("ada"));
        here().cancel(claimed.execution().id(), BOB, "wrong version");

        Execution completed = complete(claimed);

        assertThat(here().cancel(completed.id(), BOB, "again")).isEqualTo(new Cancellation.AlreadyEnded(completed));
    }

    @Test
    default void one_that_fails_while_it_is_to_be_stopped_is_not_tried_again() {
        submit(request("backup", TARGET));
        Claimed claimed = claim(runner("ada"));
        here().cancel(claimed.execution().id(), BOB, "wrong version");

        Execution ended = Work.moved(finish(claimed, Work.failed(claimed, RetryClass.TRANSIENT)));

        assertThat(ended.phase()).isEqualTo(Phase.CANCELLED);
    }

    @Test
    default void one_that_waits_for_its_next_attempt_can_be_cancelled() {
        submit(request("backup", TARGET));
        Claimed claimed = claim(runner("ada"));
        finish(claimed, Work.failed(claimed, RetryClass.TRANSIENT));

        assertThat(here().cancel(claimed.execution().id(), BOB, "enough")).isInstanceOf(Cancellation.Cancelled.class);
        age(Duration.ofHours(2));
        assertThat(claimAll(runner("grace"))).isEmpty();
    }

    @Test
    default void a_repeated_cancel_is_told_that_it_is_over() {
        Execution waiting = submit(deploy(TARGET));
        here().cancel(waiting.id(), BOB, "not needed");

        assertThat(here().cancel(waiting.id(), BOB, "not needed"))
                .isEqualTo(new Cancellation.AlreadyEnded(now(waiting)));
    }

    @Test
    default void what_nobody_knows_cannot_be_cancelled() {
        assertThat(here().cancel("nobody", BOB, "not needed")).isEqualTo(new Cancellation.Unknown("nobody"));
    }
}

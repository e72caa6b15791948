package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What may pass by itself is tried again, later, and not for ever. */
interface RetryContract extends Work {
    Duration LONGEST_WAIT = Duration.ofMinutes(31);

    @Test
    default void a_transient_failure_waits_for_its_next_attempt_and_frees_the_target() {
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));

        Execution waiting = Work.moved(finish(first, Work.failed(first, RetryClass.TRANSIENT)));

        assertThat(waiting.phase()).isEqualTo(Phase.PENDING);
        assertThat(waiting.nextAttemptAt()).isNotNull();
        assertThat(now(waiting)).isEqualTo(waiting);
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    default void it_is_known_how_long_nothing_will_be_due() {
        assertThat(here().untilDue()).isEmpty();
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        assertThat(here().untilDue()).isEmpty();

        finish(first, Work.failed(first, RetryClass.TRANSIENT));

        assertThat(here().untilDue())
                .hasValueSatisfying(left -> assertThat(left).isPositive());
        age(LONGEST_WAIT);
        assertThat(here().untilDue())
                .hasValueSatisfying(left -> assertThat(left).isLessThan(LONGEST_WAIT));
    }

    @Test
    default void the_next_attempt_starts_when_its_time_has_come() {
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        finish(first, Work.failed(first, RetryClass.TRANSIENT));
        age(LONGEST_WAIT);

        Claimed second = claim(runner("grace"));

        assertThat(second.attempt().number()).isEqualTo(2);
        assertThat(second.execution().attempts()).hasSize(2);
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    default void when_all_attempts_are_used_it_has_failed() {
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        finish(first, Work.failed(first, RetryClass.TRANSIENT));
        age(LONGEST_WAIT);
        Claimed second = claim(runner("grace"));

        Execution failed = Work.moved(finish(second, Work.failed(second, RetryClass.TRANSIENT)));

        assertThat(failed.phase()).isEqualTo(Phase.FAILED);
        assertThat(failed.attempts()).hasSize(2);
        assertThat(standing(failed).deadSince()).isNotNull();
        assertThat(now(failed)).isEqualTo(failed);
    }

    @Test
    default void one_that_waits_for_its_next_attempt_keeps_its_place_in_line() {
        submit(request("backup", TARGET));
        submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        finish(first, Work.failed(first, RetryClass.TRANSIENT));

        assertThat(claimAll(runner("grace"))).isEmpty();
        age(LONGEST_WAIT);
        assertThat(claim(runner("hedy")).execution().id())
                .isEqualTo(first.execution().id());
    }

    /** Hazard 19: to wait for a lock is not to fail. */
    @Test
    default void waiting_for_a_busy_target_uses_up_no_attempt() {
        submit(request("backup", TARGET));
        submit(request("backup", TARGET));
        Claimed first = claim(runner("ada"));
        for (int look = 0; look < 100; look++) {
            assertThat(claimAll(runner("w-" + look))).isEmpty();
        }
        complete(first);

        assertThat(claim(runner("grace")).attempt().number()).isEqualTo(1);
    }

    @Test
    default void a_lost_runner_is_followed_by_another_attempt_only_where_that_is_safe() {
        assertThat(afterLoss("backup").phase()).isEqualTo(Phase.PENDING);
        assertThat(afterLoss("deploy").phase()).isEqualTo(Phase.FAILED);
    }

    private Execution afterLoss(String workflow) {
        submit(request(workflow, workflow + "-target"));
        Claimed claimed = claim(runner("ada"));
        return Work.moved(finish(
                claimed,
                new Outcome.Failed(
                        null,
                        new Failure(
                                FailureKind.UNKNOWN,
                                RetryClass.TRANSIENT,
                                Failure.WORKER_TIMEOUT,
                                "its runner is gone"),
                        null,
                        claimed.workflow().policy().retry())));
    }
}

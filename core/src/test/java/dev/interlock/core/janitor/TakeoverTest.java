package dev.interlock.core.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.Transition;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TakeoverTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final Retry SAFE = Retry.DEFAULT.withAttempts(10).withAfterLoss(true);

    @Test
    void what_may_be_repeated_is_repeated() {
        Execution after = moved(Takeover.afterLoss(running(1), 1, SAFE, 3, NOON));

        assertThat(after.phase()).isEqualTo(Phase.PENDING);
        assertThat(after.nextAttemptAt()).isAfterOrEqualTo(NOON);
        assertThat(failure(after).kind()).isEqualTo(FailureKind.UNKNOWN);
        assertThat(failure(after).code()).isEqualTo("WORKER_TIMEOUT");
    }

    @Test
    void what_may_not_be_repeated_fails() {
        Execution after = moved(Takeover.afterLoss(running(1), 1, Retry.DEFAULT, 3, NOON));

        assertThat(after.phase()).isEqualTo(Phase.FAILED);
        assertThat(failure(after).message()).isEqualTo("Worker host:1:a was lost; how far it had come is not known.");
    }

    @Test
    void what_kills_its_workers_is_given_up_although_it_has_attempts_left() {
        assertThat(moved(Takeover.afterLoss(running(2), 2, SAFE, 3, NOON)).phase())
                .isEqualTo(Phase.PENDING);
        assertThat(moved(Takeover.afterLoss(running(3), 3, SAFE, 3, NOON)).phase())
                .isEqualTo(Phase.FAILED);
    }

    @Test
    void the_attempts_of_the_workflow_count_too() {
        assertThat(moved(Takeover.afterLoss(running(2), 2, SAFE.withAttempts(2), 3, NOON))
                        .phase())
                .isEqualTo(Phase.FAILED);
    }

    @Test
    void what_somebody_wanted_stopped_is_not_begun_again() {
        assertThat(moved(Takeover.whileCancelled(running(1), 1, NOON)).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void without_a_lock_nothing_is_repeated() {
        Execution after = moved(Takeover.lockStateLost(running(1), 1, NOON));

        assertThat(after.phase()).isEqualTo(Phase.FAILED);
        assertThat(failure(after).code()).isEqualTo("LOCK_STATE_LOST");
        assertThat(failure(after).kind()).isEqualTo(FailureKind.UNKNOWN);
    }

    @Test
    void another_attempt_is_left_alone() {
        assertThat(Takeover.afterLoss(running(2), 1, SAFE, 3, NOON)).isEqualTo(new Transition.Stale(1, 2));
        assertThat(Takeover.lockStateLost(running(2), 1, NOON)).isEqualTo(new Transition.Stale(1, 2));
    }

    /** In its attempt of that number and token, after as many lost runners. */
    private static Execution running(int number) {
        Execution execution = Execution.submitted("exec-1", Request.of("CREATE", "prod/c1", Map.of(), "alice"), NOON);
        for (int next = 1; next < number; next++) {
            execution = start(execution, next);
            execution = moved(Takeover.afterLoss(execution, next, SAFE, 100, NOON));
        }
        return start(execution, number);
    }

    private static Execution start(Execution execution, int number) {
        return moved(execution.start(Attempt.started(number, "host:1:a", number, NOON)));
    }

    private static Failure failure(Execution execution) {
        return execution.attempts().getLast().end().failure();
    }

    private static Execution moved(Transition transition) {
        assertThat(transition).isInstanceOf(Transition.Moved.class);
        return ((Transition.Moved) transition).execution();
    }
}

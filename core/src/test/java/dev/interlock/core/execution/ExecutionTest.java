package dev.interlock.core.execution;

import static dev.interlock.core.execution.Verbs.NOON;
import static dev.interlock.core.execution.Verbs.TOKEN;
import static dev.interlock.core.execution.Verbs.in;
import static dev.interlock.core.execution.Verbs.moved;
import static dev.interlock.core.execution.Verbs.transientFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.execution.Clearance.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionTest {
    private static final Clearance CLEARED = new Clearance("bob", "looked at it", NOON);

    @Test
    void its_times_are_those_of_its_attempts_and_its_ending() {
        Execution done = moved(in(Phase.RUNNING).complete(TOKEN, NOON.plusSeconds(9), 0));

        assertThat(done.startedAt()).isEqualTo(NOON);
        assertThat(done.completedAt()).isEqualTo(NOON.plusSeconds(9));
        assertThat(in(Phase.PENDING).startedAt()).isNull();
        assertThat(in(Phase.RUNNING).completedAt()).isNull();
    }

    @Test
    void a_late_completion_of_the_first_attempt_is_refused_once_the_second_runs() {
        Execution waiting = moved(in(Phase.RUNNING).retry(TOKEN, NOON, null, transientFailure(), NOON));
        Execution second = moved(waiting.start(Attempt.started(2, "host:2:b", TOKEN + 1, NOON)));

        assertThat(waiting.complete(TOKEN, NOON, 0)).isEqualTo(new Transition.Illegal(Phase.PENDING, Phase.COMPLETED));
        assertThat(waiting.fail(TOKEN, NOON, 1, transientFailure())).isEqualTo(new Transition.Stale(TOKEN, 0));
        assertThat(second.complete(TOKEN, NOON, 0)).isEqualTo(new Transition.Stale(TOKEN, TOKEN + 1));
        assertThat(second.workBegan(TOKEN, NOON)).isEqualTo(new Transition.Stale(TOKEN, TOKEN + 1));
        assertThat(moved(second.complete(TOKEN + 1, NOON, 0)).phase()).isEqualTo(Phase.COMPLETED);
    }

    @Test
    void a_retry_keeps_the_time_of_the_next_attempt_until_it_starts() {
        Execution waiting = moved(in(Phase.RUNNING).retry(TOKEN, NOON, 75, transientFailure(), NOON.plusSeconds(60)));

        assertThat(waiting.nextAttemptAt()).isEqualTo(NOON.plusSeconds(60));
        assertThat(moved(waiting.start(Attempt.started(2, "o", 8, NOON))).nextAttemptAt())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 8", "3, 8", "2, 7", "2, 6"})
    void an_attempt_out_of_turn_or_with_an_old_token_does_not_start(int number, long token) {
        Execution waiting = moved(in(Phase.RUNNING).retry(TOKEN, NOON, null, transientFailure(), NOON));

        assertThat(waiting.start(Attempt.started(number, "o", token, NOON))).isEqualTo(new Transition.Stale(token, 0));
    }

    @Test
    void refused_steps_say_why() {
        assertThat(in(Phase.COMPLETED).cancel(NOON, "bob", "late").sentence())
                .isEqualTo("Refused: an execution that is Completed cannot become Cancelled.");
        assertThat(in(Phase.RUNNING).complete(3, NOON, 0).sentence())
                .isEqualTo("Refused: token 3 is stale; the attempt that runs has token 7.");
        assertThat(new Transition.Stale(3, 0).sentence()).isEqualTo("Refused: token 3 is stale; no attempt runs.");
        assertThat(in(Phase.RUNNING).complete(TOKEN, NOON, 0).sentence()).isEqualTo("Execution exec-1 is Completed.");
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, NOT_STARTED, false",
        "false, true,  STARTED,     true",
        "true,  false, UNKNOWN,     true",
        "true,  true,  UNKNOWN,     true",
    })
    void evidence_decides_how_grave_a_failure_is(boolean lost, boolean began, FailureKind kind, boolean doubt) {
        Attempt attempt = Attempt.started(1, "o", 1, NOON);
        Attempt seen = began ? attempt.withWorkBegun(NOON) : attempt;
        Failure failure = lost
                ? seen.lost(Failure.WORKER_TIMEOUT, "gone")
                : seen.failure(RetryClass.PERMANENT, "EXIT", "never started, it says");

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(kind.leavesDoubt()).isEqualTo(doubt);
    }

    @Test
    void the_first_sign_of_work_is_kept() {
        Execution began = moved(moved(in(Phase.RUNNING).workBegan(TOKEN, NOON)).workBegan(TOKEN, NOON.plusSeconds(5)));

        assertThat(began.attempts().get(0).workBeganAt()).isEqualTo(NOON);
    }

    @Test
    void whoever_began_cannot_claim_not_to_have_started() {
        Execution began = moved(in(Phase.RUNNING).workBegan(TOKEN, NOON));

        assertThatThrownBy(() -> began.fail(TOKEN, NOON, 1, transientFailure()))
                .hasMessage("Attempt 1 cannot have failed before its work began: it began at 2026-11-16T12:00:00Z.");
    }

    @Test
    void the_gravest_attempt_decides_how_grave_the_execution_is() {
        Execution began = moved(in(Phase.RUNNING).workBegan(TOKEN, NOON));
        Failure midway = began.running().failure(RetryClass.TRANSIENT, "TIMEOUT", "half done");
        Execution waiting = moved(began.retry(TOKEN, NOON, null, midway, NOON));
        Execution second = moved(waiting.start(Attempt.started(2, "o", 8, NOON)));

        assertThat(moved(second.fail(8, NOON, 127, transientFailure())).gravestFailure())
                .isEqualTo(FailureKind.STARTED);
        assertThat(in(Phase.FAILED).gravestFailure()).isEqualTo(FailureKind.NOT_STARTED);
        assertThat(in(Phase.COMPLETED).gravestFailure()).isNull();
    }

    @Test
    void work_that_was_cancelled_midway_is_half_done() {
        Execution began = moved(in(Phase.RUNNING).workBegan(TOKEN, NOON));

        assertThat(moved(began.cancel(TOKEN, NOON, 143, "bob", "enough")).gravestFailure())
                .isEqualTo(FailureKind.STARTED);
        assertThat(moved(in(Phase.RUNNING).cancel(TOKEN, NOON, null, "bob", "enough"))
                        .gravestFailure())
                .isEqualTo(FailureKind.NOT_STARTED);
    }

    @Test
    void a_failure_is_cleared_once() {
        Execution cleared = ((Answer.Cleared) in(Phase.FAILED).clear(CLEARED)).execution();
        Clearance again = new Clearance("carol", "me too", NOON.plusSeconds(1));

        assertThat(cleared.clearance()).isEqualTo(CLEARED);
        assertThat(cleared.clear(again)).isEqualTo(new Answer.AlreadyCleared(CLEARED));
    }

    @Test
    void only_what_blocks_can_be_cleared() {
        for (Phase phase : List.of(Phase.PENDING, Phase.RUNNING, Phase.COMPLETED, Phase.SKIPPED, Phase.CANCELLED)) {
            assertThat(in(phase).clear(CLEARED)).isEqualTo(new Answer.NothingToClear(phase));
        }
        Execution malformed = moved(in(Phase.PENDING).reject(NOON, "InvalidSpec", "No target."));
        assertThat(malformed.clear(CLEARED)).isEqualTo(new Answer.NothingToClear(Phase.FAILED));
        Execution began = moved(in(Phase.RUNNING).workBegan(TOKEN, NOON));
        assertThat(moved(began.cancel(TOKEN, NOON, 143, "bob", "enough")).clear(CLEARED))
                .isInstanceOf(Answer.Cleared.class);
    }

    @Test
    void clearing_needs_a_name_and_a_reason() {
        assertThatThrownBy(() -> new Clearance("bob", " ", NOON))
                .hasMessage("Clearing a failure needs a reason and the name of whoever clears it.");
        assertThatThrownBy(() -> new Clearance("", "why", NOON)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attempts_that_contradict_each_other_are_refused() {
        Attempt open = Attempt.started(1, "o", 1, NOON);
        Attempt ended = open.withEnd(new Attempt.End(NOON, 0, null));

        assertThatThrownBy(() -> execution(List.of(open, Attempt.started(2, "o", 2, NOON)), null))
                .hasMessage("Attempt 1 of execution e is out of order, or open though it must have ended.");
        assertThatThrownBy(() -> execution(List.of(open), new Ending.Completed(NOON)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> execution(List.of(Attempt.started(2, "o", 2, NOON)), null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Attempt.started(0, "o", 1, NOON)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Attempt.started(1, "o", 0, NOON)).isInstanceOf(IllegalArgumentException.class);
        assertThat(execution(List.of(ended), new Ending.Completed(NOON)).phase())
                .isEqualTo(Phase.COMPLETED);
        assertThatThrownBy(() -> Execution.submitted(" ", in(Phase.PENDING).request(), NOON))
                .hasMessage("The id of an execution must not be empty.");
    }

    private static Execution execution(List<Attempt> attempts, Ending ending) {
        return new Execution("e", in(Phase.PENDING).request(), NOON, attempts, null, ending, null);
    }

    @Test
    void executions_of_one_target_take_their_turn_by_submission_then_id() {
        Stream<Execution> mixed = Stream.of(
                submitted("c", NOON),
                submitted("z", NOON.minusNanos(1)),
                submitted("a", NOON.plusNanos(1)),
                submitted("b", NOON));

        assertThat(mixed.sorted(Execution.ORDER).map(Execution::id)).containsExactly("z", "b", "c", "a");
    }

    private static Execution submitted(String id, Instant at) {
        return Execution.submitted(id, Request.of("CREATE", "prod/c1", Map.of(), "alice"), at);
    }

    @Test
    void a_message_that_no_store_could_keep_is_made_to_fit() {
        Failure failure =
                new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "EXIT", "a\0b\uD800" + "x".repeat(5000));

        assertThat(failure.message())
                .startsWith("a\uFFFDb\uFFFDxxx")
                .endsWith("x…")
                .hasSize(4001);
        assertThatThrownBy(() -> new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "", "m"))
                .hasMessage("A failure needs a code.");
    }
}

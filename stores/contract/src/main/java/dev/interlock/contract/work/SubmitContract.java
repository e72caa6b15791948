package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.Together;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that is asked for is kept, whatever becomes of it. */
interface SubmitContract extends Work {
    @Test
    default void a_request_becomes_a_pending_execution_that_every_process_sees() {
        Request request = new Request(
                "deploy",
                TARGET,
                Map.of("version", "1.2.3", "text", "tab\tline\n\"quote\" \\ {} ü 🏴"),
                ALICE,
                OnBusy.QUEUE,
                7,
                "key-1",
                "ticket-4711");

        Execution submitted = submit(request);

        assertThat(submitted.phase()).isEqualTo(Phase.PENDING);
        assertThat(submitted.request()).isEqualTo(request);
        assertThat(now(submitted)).isEqualTo(submitted);
    }

    @Test
    default void requests_are_answered_in_their_order() {
        List<Request> requests =
                IntStream.range(0, 50).mapToObj(n -> deploy("target-" + n % 7)).toList();

        List<Execution> answers =
                here().submit(requests).stream().map(Submission::execution).toList();

        assertThat(answers).extracting(Execution::request).isEqualTo(requests);
        assertThat(answers).isSortedAccordingTo(Execution.ORDER);
        assertThat(answers).extracting(Execution::id).doesNotHaveDuplicates();
    }

    @Test
    default void two_equal_requests_are_two_executions() {
        assertThat(submit(deploy(TARGET)).id())
                .isNotEqualTo(submit(deploy(TARGET)).id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " padded ", "line\nbreak", "nul\0character", "\ud800"})
    default void a_malformed_target_is_kept_as_failed_and_out_of_the_dead_letters(String target) {
        Execution failed = submit(deploy(target));

        assertThat(Work.ending(Ending.Failed.class, failed).failure().kind()).isEqualTo(FailureKind.NOT_STARTED);
        assertThat(now(failed)).isEqualTo(failed);
        assertThat(standing(failed).deadSince()).isNull();
    }

    @Test
    default void a_target_that_is_far_too_long_is_kept_as_failed() {
        Execution failed = submit(deploy("𝔵".repeat(5000)));

        assertThat(now(failed)).isEqualTo(failed);
        assertThat(failed.phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    default void a_workflow_that_nobody_declared_fails_at_once() {
        Execution failed = submit(request("deplay", TARGET));

        assertThat(failed.phase()).isEqualTo(Phase.FAILED);
        assertThat(Work.ending(Ending.Failed.class, failed).failure().message()).contains("the nearest is 'deploy'");
    }

    @Test
    default void good_and_bad_requests_travel_together() {
        List<Submission> answers =
                here().submit(List.of(deploy(TARGET), request("deplay", TARGET), deploy(""), deploy(OTHER)));

        assertThat(answers)
                .extracting(answer -> answer.execution().phase())
                .containsExactly(Phase.PENDING, Phase.FAILED, Phase.FAILED, Phase.PENDING);
    }

    @Test
    default void one_that_would_rather_not_wait_is_skipped_on_a_busy_target() {
        submit(deploy(TARGET));
        claim(runner("ada"));

        Execution skipped = submit(deploy(TARGET).withOnBusy(OnBusy.REFUSE));

        assertThat(Work.ending(Ending.Skipped.class, skipped).code()).isEqualTo("ResourceBusy");
        assertThat(now(skipped)).isEqualTo(skipped);
    }

    @Test
    default void one_that_would_rather_not_wait_starts_on_a_free_target() {
        Execution accepted = submit(deploy(TARGET).withOnBusy(OnBusy.REFUSE));

        assertThat(claim(runner("ada")).execution().id()).isEqualTo(accepted.id());
    }

    @Test
    default void many_may_submit_at_once() {
        List<List<Submission>> answers = Together.run(8, number -> {
            List<Submission> mine = new ArrayList<>();
            for (int n = 0; n < 25; n++) {
                mine.addAll((number % 2 == 0 ? here() : there()).submit(List.of(deploy("target-" + number))));
            }
            return mine;
        });

        assertThat(answers.stream()
                        .flatMap(List::stream)
                        .map(answer -> answer.execution().id()))
                .doesNotHaveDuplicates()
                .hasSize(200);
    }
}

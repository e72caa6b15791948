package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.Together;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Submission.Joined;
import dev.interlock.core.execution.Submission.KeyReused;
import dev.interlock.core.execution.Submission.New;
import dev.interlock.core.execution.Submission.Repeated;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same request sent twice is one execution, if it says that it is the same. */
interface IdempotencyContract extends Work {
    @Test
    default void the_same_key_and_body_give_the_same_execution() {
        Request request = deploy(TARGET).withIdempotencyKey("key-1");
        Execution first = submit(request);

        assertThat(there().submit(List.of(request))).containsExactly(new Repeated(first));
    }

    @Test
    default void a_repeat_is_answered_with_what_has_become_of_the_first() {
        Request request = deploy(TARGET).withIdempotencyKey("key-1");
        submit(request);
        Execution completed = complete(claim(runner("ada")));

        assertThat(here().submit(List.of(request))).containsExactly(new Repeated(completed));
    }

    @Test
    default void the_same_key_with_another_body_is_refused() {
        Execution first = submit(deploy(TARGET).withIdempotencyKey("key-1"));

        assertThat(here().submit(List.of(deploy(OTHER).withIdempotencyKey("key-1"))))
                .containsExactly(new KeyReused(first));
        assertThat(claimAll(runner("ada"))).hasSize(1);
    }

    @Test
    default void a_key_counts_within_one_call_too() {
        Request request = deploy(TARGET).withIdempotencyKey("key-1");

        List<Submission> answers =
                here().submit(List.of(request, request, deploy(OTHER).withIdempotencyKey("key-1")));

        assertThat(answers)
                .hasExactlyElementsOfTypes(New.class, Repeated.class, KeyReused.class)
                .extracting(Submission::execution)
                .containsOnly(answers.getFirst().execution());
    }

    @Test
    default void a_malformed_request_keeps_its_key_too() {
        Request request = request("deplay", TARGET).withIdempotencyKey("key-1");
        Execution failed = submit(request);

        assertThat(here().submit(List.of(request))).containsExactly(new Repeated(failed));
    }

    /** All of them look before any has committed. */
    @Test
    default void of_many_requests_with_one_key_at_once_one_is_new() {
        Request request = deploy(TARGET).withIdempotencyKey("key-1");

        List<Submission> answers = Together.run(
                8,
                number -> (number % 2 == 0 ? here() : there())
                        .submit(List.of(request))
                        .getFirst());

        assertThat(answers).filteredOn(New.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Repeated.class::isInstance).hasSize(7);
        assertThat(answers)
                .extracting(answer -> answer.execution().id())
                .containsOnly(answers.getFirst().execution().id());
    }

    @Test
    default void an_identical_open_request_is_joined() {
        Execution open = submit(deploy(TARGET));

        assertThat(there().submit(List.of(deploy(TARGET).withOnBusy(OnBusy.JOIN))))
                .containsExactly(new Joined(open));
    }

    @Test
    default void one_that_runs_is_joined_and_one_that_has_ended_is_not() {
        submit(deploy(TARGET));
        var claimed = claim(runner("ada"));
        Request again = deploy(TARGET).withOnBusy(OnBusy.JOIN);

        assertThat(here().submit(List.of(again))).containsExactly(new Joined(claimed.execution()));
        complete(claimed);
        assertThat(submit(again).phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    default void a_different_request_is_not_joined() {
        submit(deploy(TARGET));

        submit(Request.of("deploy", TARGET, Map.of("version", "2"), ALICE).withOnBusy(OnBusy.JOIN));
        submit(deploy(OTHER).withOnBusy(OnBusy.JOIN));
    }

    @Test
    default void of_many_that_would_join_at_once_one_is_new() {
        Request request = deploy(TARGET).withOnBusy(OnBusy.JOIN);

        List<Submission> answers = Together.run(
                8,
                number -> (number % 2 == 0 ? here() : there())
                        .submit(List.of(request))
                        .getFirst());

        assertThat(answers).filteredOn(New.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Joined.class::isInstance).hasSize(7);
    }
}

package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How what a handler does is told. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class OutcomesTest {
    private final Plant plant = new Plant();

    @Test
    void what_fails_before_its_first_step_has_not_started() {
        String id = byEvidence(work -> {
            throw new Permanent("NO_SUCH_FILE", "it is not there");
        });

        assertThat(failure(id))
                .isEqualTo(
                        new Failure(FailureKind.NOT_STARTED, RetryClass.PERMANENT, "NO_SUCH_FILE", "it is not there"));
    }

    @Test
    void what_fails_after_its_first_step_has_started() {
        String id = byEvidence(work -> {
            work.began();
            throw new Permanent("QUOTA_EXCEEDED", "no more");
        });

        assertThat(failure(id).kind()).isEqualTo(FailureKind.STARTED);
        assertThat(plant.execution(id).attempts().getFirst().workBeganAt()).isEqualTo(Plant.START);
    }

    @Test
    void a_command_that_ends_with_0_is_done() {
        String id = byEvidence(work -> work.exited(0));

        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
        assertThat(Objects.requireNonNull(
                                plant.execution(id).attempts().getFirst().end())
                        .exit())
                .isZero();
    }

    @Test
    void the_workflow_says_which_exit_codes_may_pass() {
        plant.declare(new Workflow("deploy", List.of("deploy.sh"), Set.of(75), Policy.PLAIN));

        String passing = byEvidence(work -> {
            work.began();
            work.exited(work.target().value().equals("passing") ? 75 : 3);
        });

        assertThat(failure(passing))
                .isEqualTo(new Failure(
                        FailureKind.STARTED, RetryClass.PERMANENT, "EXIT_3", "The command ended with exit code 3."));
        assertThat(plant.phase(plant.submit("passing"))).isEqualTo(Phase.PENDING);
    }

    @Test
    void an_error_is_a_failure_too_and_the_worker_goes_on() {
        String id = byEvidence(work -> {
            throw new StackOverflowError();
        });

        assertThat(failure(id).code()).isEqualTo("StackOverflowError");
        assertThat(plant.phase(plant.submit("another"))).isEqualTo(Phase.FAILED);
    }

    @Test
    void a_code_that_no_store_could_keep_is_refused_where_it_is_written() {
        assertThatThrownBy(() -> new Transient(" ", "why")).isInstanceOf(IllegalArgumentException.class);
    }

    private String byEvidence(Handler handler) {
        Worker.at(plant.workplace("alice"))
                .handlingByEvidence("deploy", handler)
                .start();
        plant.rest();
        return plant.submit();
    }

    private Failure failure(String id) {
        assertThat(plant.execution(id).ending()).isInstanceOf(Ending.Failed.class);
        return ((Ending.Failed) Objects.requireNonNull(plant.execution(id).ending())).failure();
    }
}

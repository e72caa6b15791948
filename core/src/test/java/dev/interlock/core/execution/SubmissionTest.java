package dev.interlock.core.execution;

import static dev.interlock.core.execution.Verbs.NOON;
import static dev.interlock.core.execution.Verbs.moved;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SubmissionTest {
    private final Request request = Request.of("DESTROY", "prod/c1", Map.of("A", "1"), "alice");
    private final Execution open = Execution.submitted("exec-1", request, NOON);

    private static Execution arriving(Request request) {
        return Execution.submitted("exec-9", request, NOON);
    }

    @Test
    void the_same_key_and_body_give_the_same_execution_whatever_became_of_it() {
        Execution ended = moved(open.cancel(NOON, "bob", "enough"));

        assertThat(Submission.decide(arriving(request), open, null)).isEqualTo(new Submission.Repeated(open));
        assertThat(Submission.decide(arriving(request), ended, null)).isEqualTo(new Submission.Repeated(ended));
    }

    @Test
    void the_same_key_with_another_body_is_refused() {
        Request larger = Request.of("DESTROY", "prod/c1", Map.of("A", "2"), "alice");
        Request somebodyElse = Request.of("DESTROY", "prod/c1", Map.of("A", "1"), "mallory");

        for (Request other :
                new Request[] {larger, somebodyElse, request.withOnBusy(OnBusy.REFUSE), request.withPriority(9)}) {
            assertThat(Submission.decide(arriving(other), open, open)).isEqualTo(new Submission.KeyReused(open));
        }
        assertThat(new Submission.KeyReused(open).sentence())
                .isEqualTo("Refused: the idempotency key belongs to execution exec-1, which asked for something else"
                        + " (DESTROY on 'prod/c1'). Use a new key.");
    }

    @Test
    void an_identical_open_request_is_joined_only_on_demand() {
        Request joining = request.withOnBusy(OnBusy.JOIN);

        assertThat(Submission.decide(arriving(joining), null, open)).isEqualTo(new Submission.Joined(open));
        assertThat(Submission.decide(arriving(request), null, open)).isInstanceOf(Submission.New.class);
        assertThat(Submission.decide(arriving(request.withOnBusy(OnBusy.REFUSE)), null, open))
                .isInstanceOf(Submission.New.class);
        assertThat(Submission.decide(arriving(joining), null, null)).isInstanceOf(Submission.New.class);
    }

    @Test
    void what_has_ended_or_does_something_else_is_not_joined() {
        Request joining = request.withOnBusy(OnBusy.JOIN);
        Execution ended = moved(open.cancel(NOON, "bob", "enough"));
        Execution other = Execution.submitted("exec-2", Request.of("CREATE", "prod/c1", Map.of(), "alice"), NOON);

        assertThat(Submission.decide(arriving(joining), null, ended)).isInstanceOf(Submission.New.class);
        assertThat(Submission.decide(arriving(joining), null, other)).isInstanceOf(Submission.New.class);
    }

    @Test
    void each_answer_has_its_sentence() {
        assertThat(new Submission.New(open).sentence()).isEqualTo("Accepted as execution exec-1.");
        assertThat(new Submission.New(moved(open.reject(NOON, "InvalidSpec", "No such workflow."))).sentence())
                .isEqualTo("No such workflow.");
        assertThat(new Submission.Repeated(open).sentence()).isEqualTo("Submitted before, as execution exec-1.");
        assertThat(new Submission.Joined(open).sentence())
                .isEqualTo("Joined execution exec-1, which does the same and is Pending.");
    }
}

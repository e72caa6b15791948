package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.NOON;
import static dev.interlock.core.admission.Past.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Clusters;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsequenceTest {
    private static final Situation BUSY = Situation.FREE.withLock(Locks.heldBy("other", 1));

    private static String of(OnBusy onBusy, String workflow, Situation situation, Execution... past) {
        Request request = Request.of(workflow, "prod/c1", Map.of(), "alice").withOnBusy(onBusy);
        Case of = new Case(
                new Candidate("me", 1, request, NOON), History.of(List.of(past)), situation, Policy.REMEDIATION, NOON);
        return switch (of.consequence()) {
            case Consequence.Start start -> "start";
            case Consequence.Wait(Reason reason, var until) -> "wait " + reason.rule() + " " + until;
            case Consequence.Skip(Reason reason) -> "skip " + reason.rule();
            case Consequence.Fail(Reason reason) -> "fail " + reason.rule();
        };
    }

    private static Situation resource(Situation situation, String state, String under) {
        return situation.withResource(new Resource(Clusters.cluster(), state, under));
    }

    @ParameterizedTest
    @CsvSource({"REFUSE, skip RESOURCE_BUSY", "QUEUE, wait RESOURCE_BUSY null", "JOIN, wait RESOURCE_BUSY null"})
    void a_busy_target_is_waited_for_unless_the_request_says_otherwise(OnBusy onBusy, String expected) {
        assertThat(of(onBusy, "W", BUSY)).isEqualTo(expected);
        assertThat(of(onBusy, "W", Situation.FREE)).isEqualTo("start");
    }

    @ParameterizedTest
    @CsvSource({"REFUSE", "QUEUE", "JOIN"})
    void a_malformed_request_fails_at_once(OnBusy onBusy) {
        assertThat(of(onBusy, "two words", BUSY)).isEqualTo("fail INVALID_SPEC");
    }

    @Test
    void the_second_of_two_destroys_waits_for_the_first_and_is_skipped_when_there_is_nothing_left() {
        Situation during = resource(BUSY, "DESTROYING", "other");
        Situation afterwards = resource(Situation.FREE, "DESTROYED", null);

        assertThat(of(OnBusy.QUEUE, "DESTROY", during)).isEqualTo("wait INVALID_STATE null");
        assertThat(of(OnBusy.QUEUE, "DESTROY", afterwards)).isEqualTo("skip INVALID_STATE");
    }

    @Test
    void a_resource_between_two_attempts_of_another_is_waited_for() {
        assertThat(of(OnBusy.QUEUE, "DESTROY", resource(Situation.FREE, "CREATING", "other")))
                .isEqualTo("wait INVALID_STATE null");
    }

    @Test
    void what_only_a_person_can_open_is_not_waited_for_so_that_a_recovery_behind_gets_its_turn() {
        Execution failed = Past.broken("b", "CREATE", -9999);

        assertThat(of(OnBusy.QUEUE, "W", Situation.FREE, failed)).isEqualTo("skip PREVIOUS_EXECUTION_FAILED");
        assertThat(of(OnBusy.QUEUE, "DESTROY", resource(Situation.FREE, "FAILED", null), failed))
                .isEqualTo("start");
        assertThat(of(OnBusy.QUEUE, "W", BUSY, failed)).isEqualTo("wait PREVIOUS_EXECUTION_FAILED null");
    }

    @Test
    void what_time_opens_is_waited_for() {
        Execution done = Past.completed("c", "W", -60);

        assertThat(of(OnBusy.QUEUE, "W", Situation.FREE, done)).isEqualTo("wait COOLDOWN " + at(240));
        assertThat(of(OnBusy.REFUSE, "W", Situation.FREE, done)).isEqualTo("skip COOLDOWN");
        assertThat(of(OnBusy.QUEUE, "W", Situation.FREE.withLock(Locks.hold()))).isEqualTo("wait FROZEN " + at(1800));
        assertThat(of(OnBusy.QUEUE, "W", Situation.FREE.withLock(Locks.closed(at(5)))))
                .isEqualTo("wait RESOURCE_BUSY " + at(5));
    }
}

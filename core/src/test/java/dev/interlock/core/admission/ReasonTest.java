package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.NOON;
import static dev.interlock.core.admission.Past.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.FailureKind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happened, who, until when, what now: in one sentence each. */
class ReasonTest {
    private static final Reason.Asked ASKED = new Reason.Asked("prod/c1", "SCALE_WORKERS", NOON);

    private static History.Entry failed(FailureKind kind, String message) {
        return new History.Entry("exec-7", "CREATE", "alice", at(-3600), kind, message, false);
    }

    @Test
    void a_malformed_request_is_told_every_fault() {
        assertThat(new Reason.InvalidSpec(
                                ASKED, List.of("A target must not be empty.", "A workflow must not be empty."))
                        .sentence())
                .isEqualTo("Refused: the request is malformed. A target must not be empty."
                        + " A workflow must not be empty. Correct it and submit it again.");
    }

    @Test
    void a_wrong_state_is_told_with_the_right_ones() {
        assertThat(new Reason.InvalidState(ASKED, "CREATING", List.of("READY", "FAILED"), "exec-7").sentence())
                .isEqualTo("Blocked: 'prod/c1' is CREATING under execution exec-7, and SCALE_WORKERS starts only from"
                        + " READY or FAILED. Wait until its state has changed, or see: interlock why prod/c1");
        assertThat(new Reason.InvalidState(ASKED, "DESTROYED", List.of("READY"), null).sentence())
                .startsWith("Blocked: 'prod/c1' is DESTROYED, and SCALE_WORKERS starts only from READY.");
    }

    @Test
    void a_name_that_another_has_taken_is_told_with_the_other() {
        assertThat(new Reason.NameTaken(ASKED, "DESTROYED", "prod/c2").sentence())
                .isEqualTo(
                        "Blocked: 'prod/c1' is DESTROYED and has given its name back; resource 'prod/c2' has taken it."
                                + " SCALE_WORKERS may start when that one gives it back."
                                + " See: interlock resources show prod/c2");
    }

    @Test
    void a_failure_that_needs_a_person_says_how_to_clear_it() {
        assertThat(new Reason.PreviousExecutionFailed(ASKED, failed(FailureKind.STARTED, "exit code 1"), 1).sentence())
                .isEqualTo("Blocked: execution exec-7 (CREATE for alice) failed in the middle of its work on 'prod/c1'"
                        + " at 11:00:00Z: exit code 1. See what it left there, then:"
                        + " interlock targets clear prod/c1 --reason '...'");
        assertThat(new Reason.PreviousExecutionFailed(ASKED, failed(FailureKind.UNKNOWN, ""), 3).sentence())
                .isEqualTo("Blocked: execution exec-7 (CREATE for alice) was lost in the middle of its work on"
                        + " 'prod/c1' at 11:00:00Z; 3 such failures are not cleared. See what it left there, then:"
                        + " interlock targets clear prod/c1 --reason '...'");
    }

    @Test
    void too_many_failures_say_how_many_and_who_may_try_again() {
        History.Entry last = failed(FailureKind.NOT_STARTED, "100 % of the quota is used.\n");

        assertThat(new Reason.ExhaustedRetries(ASKED, last, 5, at(86_400)).sentence())
                .isEqualTo("Blocked: 5 executions in a row failed on 'prod/c1' before their work began, the last,"
                        + " exec-7, at 11:00:00Z: 100 % of the quota is used. One may try again from"
                        + " 2026-11-17T12:00:00Z, or remove the cause, then:"
                        + " interlock targets clear prod/c1 --reason '...'");
        assertThat(new Reason.ExhaustedRetries(ASKED, last, 1, null).sentence())
                .isEqualTo("Blocked: execution exec-7 failed on 'prod/c1' before its work began, at 11:00:00Z:"
                        + " 100 % of the quota is used. Remove the cause, then:"
                        + " interlock targets clear prod/c1 --reason '...'");
    }

    @Test
    void a_wait_says_when_it_ends() {
        assertThat(new Reason.BackingOff(ASKED, failed(FailureKind.NOT_STARTED, ""), 2, at(90)).sentence())
                .isEqualTo("Blocked: 2 executions in a row failed on 'prod/c1' before their work began, the last,"
                        + " exec-7, at 11:00:00Z. The next may start from 12:01:30Z; see: interlock why prod/c1");
        History.Entry done = new History.Entry("exec-8", "SCALE_WORKERS", "alice", at(-60), null, "", false);
        assertThat(new Reason.CoolingDown(ASKED, done, at(240)).sentence())
                .isEqualTo("Blocked: SCALE_WORKERS completed on 'prod/c1' at 11:59:00Z (execution exec-8), which is"
                        + " followed by a cooldown of 5m. SCALE_WORKERS may start from 12:04:00Z;"
                        + " see: interlock why prod/c1");
    }

    @Test
    void a_hold_is_told_with_who_why_and_until_when() {
        assertThat(new Reason.Frozen(ASKED, Locks.hold()).sentence())
                .isEqualTo("Blocked: lock 'prod/c1' is held for maintenance by carol since 11:59:00Z, until 12:30:00Z:"
                        + " new disks [OPS-7]; token 42. Wait for its end, or see: interlock why prod/c1");
    }

    @Test
    void a_busy_target_says_who_is_at_it() {
        assertThat(new Reason.Locked(ASKED, Locks.heldBy("exec-9", 1)).sentence())
                .isEqualTo("Blocked: lock 'prod/c1' is held by execution exec-9 (carol on ci-7) since 11:59:00Z,"
                        + " lease until 12:30:00Z, token 42. Wait in line with onBusy queue,"
                        + " or see: interlock why prod/c1");
        assertThat(new Reason.Closed(ASKED, Locks.closed(at(30)), at(30)).sentence())
                .isEqualTo("Blocked: lock 'prod/c1' is closed until 12:00:30Z after execution exec-0 (carol on ci-7)"
                        + " ended; token 42. Wait in line with onBusy queue, or see: interlock why prod/c1");
        Situation.Open waiting = new Situation.Open("exec-9", "DESTROY", "bob", at(-5), false);
        assertThat(new Reason.Ahead(ASKED, waiting, 3).sentence())
                .isEqualTo("Blocked: execution exec-9 (DESTROY for bob) of 11:59:55Z is ahead in the line for"
                        + " 'prod/c1', and 2 more. Wait in line with onBusy queue, or see: interlock why prod/c1");
        Situation.Open running = new Situation.Open("exec-9", "DESTROY", "bob", at(-5), true);
        assertThat(new Reason.Ahead(ASKED, running, 1).sentence())
                .startsWith("Blocked: execution exec-9 (DESTROY for bob) of 11:59:55Z runs on 'prod/c1'. Wait");
    }

    @Test
    void what_a_program_said_is_told_in_one_line_and_cannot_move_the_cursor() {
        String said = "\u001B[31mboom\nTraceback: " + "x".repeat(300);

        assertThat(new Reason.BackingOff(ASKED, failed(FailureKind.NOT_STARTED, said), 1, at(90)).sentence())
                .contains(":  [31mboom Traceback: xxx", "xxx…. The next may start from")
                .doesNotContain("\u001B", "\n", "x".repeat(200));
    }

    @Test
    void the_command_in_the_sentence_can_be_pasted_into_a_shell() {
        Reason.Asked asked = new Reason.Asked("it's $HOME; rm", "W", NOON);

        assertThat(new Reason.BackingOff(asked, failed(FailureKind.NOT_STARTED, ""), 1, at(90)).sentence())
                .endsWith("interlock why 'it'\\''s $HOME; rm'");
    }

    @Test
    void an_instant_is_told_only_where_there_is_one() {
        Instant until = at(90);

        assertThat(new Ends.At(until).instant()).isEqualTo(until);
        for (Ends other : Ends.Otherwise.values()) {
            assertThat(other.instant()).isNull();
        }
    }
}

package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ask;
import dev.interlock.core.LockName;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Terms;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.admission.Rule;
import dev.interlock.core.admission.Ruling;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the policy of a workflow refuses does not start; and everybody is told the same. */
interface AdmissionContract extends Work {
    @Test
    default void a_failure_blocks_until_a_person_has_cleared_it() {
        Execution failed = failAfterWorkBegan();

        assertThat(codeOfSkip(submit(request("restart", TARGET)))).isEqualTo("PreviousExecutionFailed");

        List<Execution> cleared = here().clear(LockName.of(TARGET), ALICE, "looked at it");
        assertThat(cleared).extracting(Execution::id).containsExactly(failed.id());
        assertThat(Objects.requireNonNull(cleared.getFirst().clearance()).by()).isEqualTo(ALICE);
        assertThat(now(failed)).isEqualTo(cleared.getFirst());
        submit(request("restart", TARGET));
        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void a_failure_is_cleared_once() {
        failAfterWorkBegan();
        here().clear(LockName.of(TARGET), ALICE, "looked at it");

        assertThat(there().clear(LockName.of(TARGET), ALICE, "looked again")).isEmpty();
    }

    @Test
    default void a_malformed_request_does_not_hide_the_failure_before_it() {
        failAfterWorkBegan();
        submit(request("restart", TARGET + " "));
        submit(request("restrat", TARGET));

        assertThat(codeOfSkip(submit(request("restart", TARGET)))).isEqualTo("PreviousExecutionFailed");
    }

    @Test
    default void plain_workflows_are_not_held_back_by_failures() {
        failAfterWorkBegan();
        submit(deploy(TARGET));

        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void a_success_keeps_the_target_cool() {
        submit(request("restart", TARGET));
        complete(claim(runner("ada")));
        Execution next = submit(request("restart", TARGET));

        assertThat(claimAll(runner("grace"))).isEmpty();
        age(Duration.ofMinutes(5));
        assertThat(claim(runner("hedy")).execution().id()).isEqualTo(next.id());
    }

    @Test
    default void what_failed_before_it_began_is_followed_by_a_wait() {
        submit(request("restart", TARGET));
        Claimed claimed = claim(runner("ada"));
        finish(claimed, Work.notStarted(claimed));
        submit(request("restart", TARGET));

        assertThat(claimAll(runner("grace"))).isEmpty();
        age(Duration.ofMinutes(2));
        assertThat(claimAll(runner("hedy"))).hasSize(1);
    }

    /** It was fit when it came; what it waited for has failed. */
    @Test
    default void one_that_waited_is_judged_when_its_turn_comes() {
        submit(request("restart", TARGET));
        Claimed first = claim(runner("ada"));
        Execution second = submit(request("restart", TARGET));
        assertThat(second.phase()).isEqualTo(Phase.PENDING);

        finish(first, Work.failed(first, RetryClass.PERMANENT));

        assertThat(claimAll(runner("grace"))).isEmpty();
        assertThat(codeOfSkip(now(second))).isEqualTo("PreviousExecutionFailed");
    }

    @Test
    default void the_line_goes_on_when_one_in_it_is_refused() {
        submit(request("restart", TARGET));
        Claimed first = claim(runner("ada"));
        submit(request("restart", TARGET));
        Execution third = submit(deploy(TARGET));
        claimAll(runner("grace"));
        finish(first, Work.failed(first, RetryClass.PERMANENT));

        claimAll(runner("grace"));

        Execution seen = now(third);
        assertThat(seen.phase() == Phase.RUNNING
                        || claim(runner("hedy")).execution().id().equals(third.id()))
                .isTrue();
    }

    @Test
    default void a_hold_for_maintenance_is_waited_for() {
        Ask hold = stranger(TARGET, Duration.ofHours(1));
        locks().acquire(new Ask(
                hold.name(),
                hold.holder(),
                hold.lease(),
                Terms.PLAIN.withMaintenance(new Maintenance("upgrade", null))));
        submit(request("restart", TARGET));

        assertThat(claimAll(runner("ada"))).isEmpty();
        age(Duration.ofHours(2));
        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void whoever_asks_why_is_shown_what_a_claim_goes_by() {
        failAfterWorkBegan();
        Case of = there().examine(Candidate.whatIf(
                request("restart", TARGET), Instant.now().plusSeconds(3600)));

        assertThat(of.explain())
                .filteredOn(Ruling.Red.class::isInstance)
                .extracting(Ruling::rule)
                .containsExactly(Rule.PREVIOUS_EXECUTION_FAILED);
    }

    @Test
    default void whoever_asks_why_sees_who_works_on_the_target_and_who_is_ahead() {
        submit(deploy(TARGET));
        Instant now = standing(submit(deploy(TARGET))).seenAt();
        claim(runner("ada"));

        Case of = there().examine(Candidate.whatIf(deploy(TARGET), now));

        assertThat(of.explain())
                .filteredOn(Ruling.Red.class::isInstance)
                .extracting(Ruling::rule)
                .containsExactly(Rule.RESOURCE_BUSY);
    }

    private Execution failAfterWorkBegan() {
        submit(request("restart", TARGET));
        Claimed claimed = claim(runner("ada"));
        return Work.moved(finish(claimed, Work.failed(claimed, RetryClass.PERMANENT)));
    }

    private static String codeOfSkip(Execution execution) {
        return Work.ending(Ending.Skipped.class, execution).code();
    }
}

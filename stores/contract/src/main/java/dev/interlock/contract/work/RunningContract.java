package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Running;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker can ask what it has, because the answer to its claim may have been lost. */
interface RunningContract extends Work {
    @Test
    default void a_worker_is_told_what_runs_on_its_leases() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        submit(request("backup", OTHER));
        List<Claimed> claimed = claimAll(ada);

        List<Running> running = there().running(ada.claimant());

        assertThat(running).extracting(Running::cancelledBy).containsOnlyNulls();
        assertThat(running)
                .extracting(Running::claimed)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("lock.seenAt")
                .containsExactlyInAnyOrderElementsOf(claimed);
    }

    @Test
    default void a_worker_is_not_told_what_others_run() {
        submit(deploy(TARGET));
        claim(runner("ada"));

        assertThat(here().running(runner("grace").claimant())).isEmpty();
    }

    @Test
    default void a_worker_is_told_who_wants_its_work_stopped() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        Claimed claimed = claim(ada);
        there().cancel(claimed.execution().id(), "bob@example.com", "wrong version");

        assertThat(here().running(ada.claimant()))
                .extracting(Running::cancelledBy)
                .containsExactly("bob@example.com");
    }

    @Test
    default void what_has_ended_or_waits_for_its_next_attempt_does_not_run() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        submit(request("backup", OTHER));
        for (Claimed claimed : claimAll(ada)) {
            finish(claimed, Work.failed(claimed, RetryClass.TRANSIENT));
        }

        assertThat(here().running(ada.claimant())).isEmpty();
    }

    @Test
    default void a_later_attempt_is_told_with_its_own_token() {
        Runner ada = runner("ada");
        Runner grace = runner("grace");
        submit(request("backup", TARGET));
        Claimed first = claim(ada);
        finish(first, Work.failed(first, RetryClass.TRANSIENT));
        age(Duration.ofMinutes(31));
        Claimed second = claim(grace);

        assertThat(here().running(grace.claimant()))
                .extracting(running -> running.claimed().token())
                .containsExactly(second.token());
        assertThat(here().running(ada.claimant())).isEmpty();
    }
}

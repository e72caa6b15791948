package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import dev.interlock.core.work.Finished;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is next in line starts with the end of the one before it, if that is fair and the worker has room. */
interface SuccessionContract extends Work {
    /** Tells that these have completed, for a worker that has room for so many more. */
    default Finished complete(List<Claimed> claimed, Runner runner, int most) {
        Finished finished = here().finish(
                        claimed.stream()
                                .map(one -> Work.finishing(one, new Outcome.Completed(0)))
                                .toList(),
                        runner.claimant(),
                        most);
        assertThat(finished.answers()).hasSameSizeAs(claimed).allSatisfy(Work::moved);
        return finished;
    }

    static List<String> next(Finished finished) {
        return finished.next().stream().map(one -> one.execution().id()).toList();
    }

    @Test
    default void the_next_in_line_starts_with_the_end_of_the_one_before_it() {
        Runner ada = runner("ada");
        Execution first = submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Execution third = submit(deploy(TARGET));
        Claimed claimed = claim(ada);

        Finished finished = complete(List.of(claimed), ada, 5);

        assertThat(now(first).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(next(finished)).containsExactly(second.id());
        Claimed heir = finished.next().getFirst();
        assertThat(heir.token()).isGreaterThan(claimed.token());
        assertThat(heir.execution()).isEqualTo(now(second));
        assertThat(lock(TARGET).grant()).isEqualTo(heir.lock().grant());
        assertThat(lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(there().running(ada.claimant()))
                .extracting(running -> running.claimed().execution().id())
                .containsExactly(second.id());
        assertThat(next(complete(List.of(heir), ada, 5))).containsExactly(third.id());
    }

    @Test
    default void nobody_who_is_ahead_elsewhere_is_passed() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Claimed claimed = claim(ada);
        Execution urgent = submit(deploy(OTHER).withPriority(10));

        assertThat(complete(List.of(claimed), ada, 5).next()).isEmpty();

        assertThat(claimAll(ada))
                .extracting(one -> one.execution().id())
                .containsExactlyInAnyOrder(urgent.id(), second.id());
    }

    @Test
    default void what_the_worker_does_not_offer_is_not_ahead_of_anybody() {
        Runner ada = Runner.offering("ada", Set.of("deploy"));
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Claimed claimed = claim(ada);
        submit(request("backup", OTHER).withPriority(10));

        assertThat(next(complete(List.of(claimed), ada, 5))).containsExactly(second.id());
    }

    @Test
    default void who_has_no_room_gets_nothing_and_what_is_next_can_be_claimed() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));

        assertThat(complete(List.of(claim(ada)), ada, 0).next()).isEmpty();

        assertThat(claim(runner("grace")).execution().id()).isEqualTo(second.id());
    }

    @Test
    default void no_more_start_than_there_is_room_for() {
        Runner ada = runner("ada");
        IntStream.range(0, 6).forEach(n -> submit(deploy("t-" + n % 3)));
        List<Claimed> claimed = claimAll(ada);
        assertThat(claimed).hasSize(3);

        assertThat(complete(claimed, ada, 2).next()).hasSize(2);

        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void only_what_is_offered_is_handed_over() {
        Runner ada = Runner.offering("ada", Set.of("deploy"));
        submit(deploy(TARGET));
        submit(request("backup", TARGET));

        assertThat(complete(List.of(claim(ada)), ada, 5).next()).isEmpty();

        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void nothing_is_handed_over_on_a_lease_that_has_ended() {
        Runner ada = runner("ada");
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Claimed claimed = claim(ada);
        age(MINUTE);

        assertThat(complete(List.of(claimed), ada, 5).next()).isEmpty();

        assertThat(claim(runner("grace")).execution().id()).isEqualTo(second.id());
    }

    @Test
    default void what_has_to_cool_down_first_is_not_handed_over() {
        Runner ada = runner("ada");
        submit(request("restart", TARGET));
        Execution second = submit(request("restart", TARGET));

        assertThat(complete(List.of(claim(ada)), ada, 5).next()).isEmpty();

        assertThat(now(second).attempts()).isEmpty();
    }

    @Test
    default void an_end_that_is_told_again_starts_nobody() {
        Runner ada = runner("ada");
        IntStream.range(0, 3).forEach(n -> submit(deploy(TARGET)));
        Claimed claimed = claim(ada);
        complete(List.of(claimed), ada, 5);

        assertThat(complete(List.of(claimed), ada, 5).next()).isEmpty();
    }
}

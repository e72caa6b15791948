package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Claims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Executions of one target take their turn in the order in which they were submitted. */
interface LineContract extends Work {
    @Test
    default void one_at_a_time_and_in_order() {
        List<String> submitted = here()
                .submit(IntStream.range(0, 12).mapToObj(n -> deploy(TARGET)).toList())
                .stream()
                .map(answer -> answer.execution().id())
                .toList();

        List<String> ran = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            Claimed claimed = claim(runner("ada"));
            ran.add(claimed.execution().id());
            complete(claimed);
        }

        assertThat(ran).isEqualTo(submitted);
        assertThat(claimAll(runner("ada"))).isEmpty();
    }

    @Test
    default void priority_does_not_change_the_order_of_one_target() {
        Execution first = submit(deploy(TARGET));
        Execution urgent = submit(deploy(TARGET).withPriority(10));

        Claimed claimed = firstOf(runner("ada"));

        assertThat(claimed.execution().id()).isEqualTo(first.id());
        complete(claimed);
        assertThat(firstOf(runner("ada")).execution().id()).isEqualTo(urgent.id());
    }

    /** One may have to look twice: what is parked now is ready for the next look. */
    private Claimed firstOf(Runner runner) {
        List<Claimed> all = claimAll(runner);
        if (all.isEmpty()) {
            age(Duration.ofSeconds(2));
            all = claimAll(runner);
        }
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    default void a_standing_tells_the_place_in_line() {
        List<Execution> line =
                IntStream.range(0, 4).mapToObj(n -> submit(deploy(TARGET))).toList();
        claim(runner("ada"));

        assertThat(line).extracting(one -> standing(one).position()).containsExactly(0, 1, 2, 3);
    }

    @Test
    default void whoever_comes_to_stand_in_line_is_told_once() {
        IntStream.range(0, 3).forEach(n -> submit(deploy(TARGET)));
        submit(deploy(OTHER));

        Claims first = here().claim(runner("ada").claimant(), 10);
        Claims again = here().claim(runner("grace").claimant(), 10);

        assertThat(first.started()).hasSize(2);
        assertThat(List.of(first.parked(), again.parked())).containsExactly(2, 0);
    }

    @Test
    default void what_waits_is_ready_as_soon_as_the_one_before_has_ended() {
        submit(deploy(TARGET));
        submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        assertThat(claimAll(runner("grace"))).isEmpty();

        complete(first);

        assertThat(claimAll(runner("grace"))).hasSize(1);
    }

    @Test
    default void a_line_moves_on_when_its_head_is_cancelled() {
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Execution third = submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        claimAll(runner("grace"));

        here().cancel(second.id(), ALICE, "not needed");
        complete(first);

        assertThat(claim(runner("grace")).execution().id()).isEqualTo(third.id());
    }

    @Test
    default void whoever_waits_for_the_lock_itself_gets_it_from_the_execution_that_ends() {
        submit(deploy(TARGET));
        submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        Entry entry = locks().enter(stranger(TARGET, Duration.ofHours(1)), Duration.ofHours(1), 10);

        complete(first);

        assertThat(((Entry.Queued) entry).place().handover().join()).isInstanceOf(Acquisition.Granted.class);
        age(Duration.ofSeconds(2));
        assertThat(claimAll(runner("grace"))).isEmpty();
    }

    @Test
    default void the_line_goes_on_after_somebody_held_the_lock_in_between() {
        submit(deploy(TARGET));
        Execution second = submit(deploy(TARGET));
        Claimed first = claim(runner("ada"));
        Entry entry = locks().enter(stranger(TARGET, Duration.ofHours(1)), Duration.ofHours(1), 10);
        complete(first);
        var handed =
                (Acquisition.Granted) ((Entry.Queued) entry).place().handover().join();

        locks().release(handed.lock());
        age(Duration.ofSeconds(2));

        assertThat(claim(runner("grace")).execution().id()).isEqualTo(second.id());
    }

    @Test
    default void those_who_would_rather_not_wait_do_not_wait_in_line() {
        submit(deploy(TARGET));
        Submission late =
                here().submit(List.of(deploy(TARGET).withOnBusy(OnBusy.REFUSE))).getFirst();

        assertThat(late.execution().ending()).isNotNull();
    }

    @Test
    default void a_long_line_behind_one_target_does_not_hold_others_back() {
        here().submit(IntStream.range(0, 300).mapToObj(n -> deploy(TARGET)).toList());
        Execution other = submit(deploy(OTHER));
        List<String> claimed = new ArrayList<>();
        for (int look = 0; look < 6; look++) {
            here().claim(runner("w-" + look).claimant(), 64)
                    .started()
                    .forEach(one -> claimed.add(one.execution().id()));
        }

        assertThat(claimed).hasSize(2).contains(other.id());
    }
}

package dev.interlock.bench.jobs;

import static dev.interlock.bench.jobs.Runs.EXCLUSIVE;
import static dev.interlock.bench.jobs.Runs.IN_ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunsTest {
    @Test
    void one_after_the_other_keeps_both_promises_whatever_other_targets_do() {
        assertThat(runs(ran(0, 0, 10, 20), ran(1, 0, 15, 50), ran(0, 1, 20, 30)).promises())
                .containsExactly(EXCLUSIVE.is(0), IN_ORDER.is(0));
    }

    @Test
    void a_run_that_begins_inside_another_of_its_target_is_seen() {
        assertThat(runs(ran(0, 0, 10, 20), ran(0, 1, 19, 30)).overlaps()).isEqualTo(1);
    }

    @Test
    void a_run_inside_a_long_one_is_seen_even_when_a_short_one_came_between() {
        assertThat(runs(ran(0, 0, 10, 90), ran(0, 1, 20, 30), ran(0, 2, 40, 50)).overlaps())
                .isEqualTo(2);
    }

    @Test
    void nothing_may_begin_beside_a_run_that_has_not_ended() {
        assertThat(runs(ran(0, 0, 10, 0), ran(0, 1, 20, 30)).overlaps()).isEqualTo(1);
    }

    @Test
    void runs_of_two_processes_are_seen_together() {
        var first = runs(ran(0, 0, 10, 20));
        assertThat(first.and(runs(ran(0, 1, 15, 30))).overlaps()).isEqualTo(1);
    }

    @Test
    void a_run_that_begins_after_a_later_one_is_seen_and_so_is_a_second_run_of_the_same() {
        assertThat(runs(ran(0, 1, 10, 20), ran(0, 0, 30, 40)).disorders()).isEqualTo(1);
        assertThat(runs(ran(0, 0, 10, 20), ran(0, 0, 30, 40)).disorders()).isEqualTo(1);
    }

    @Test
    void a_hand_over_lasts_from_the_end_of_a_run_to_the_start_of_the_next_on_its_target() {
        var runs = runs(ran(0, 0, 10, 20), ran(1, 0, 21, 22), ran(0, 1, 27, 30), ran(0, 2, 30, 0));
        assertThat(runs.handovers(0).getTotalCount()).isEqualTo(2);
        assertThat(runs.handovers(0).getMaxValue()).isEqualTo(7);
    }

    @Test
    void what_ended_before_it_counts_is_no_hand_over() {
        var handovers =
                runs(ran(0, 0, 10, 20), ran(0, 1, 27, 30), ran(0, 2, 33, 40)).handovers(30);
        assertThat(handovers.getTotalCount()).isEqualTo(1);
        assertThat(handovers.getMaxValue()).isEqualTo(3);
    }

    @Test
    void a_run_reads_as_it_was_written() {
        assertThat(Ran.parse(ran(3, 4, 10, 20).line())).isEqualTo(ran(3, 4, 10, 20));
    }

    private static Ran ran(int target, int number, long start, long end) {
        return new Ran(target, number, start, end);
    }

    private static Runs runs(Ran... ran) {
        return Runs.of(List.of(ran));
    }
}

package dev.interlock.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.bench.workload.Window.Span;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final Span SPAN = new Span(100, 200);

    @Test
    void a_hand_off_lasts_from_the_release_of_one_to_the_grant_of_the_next() {
        var turns = Turns.of(List.of(turn(1, 0, 117, 130), turn(0, 0, 100, 110), turn(0, 110, 133, 140)));
        assertThat(turns.handOffs(SPAN)).isEqualTo(histogram(7, 3));
    }

    @Test
    void hand_offs_outside_the_span_do_not_count() {
        var turns = Turns.of(List.of(
                turn(0, 0, 80, 90),
                turn(1, 0, 95, 98),
                turn(0, 90, 102, 180),
                turn(1, 98, 190, 195),
                turn(0, 180, 201, 210)));
        assertThat(turns.handOffs(SPAN)).isEqualTo(histogram(4, 10));
    }

    @Test
    void a_wait_that_outlasts_the_span_counts_in_full() {
        var turns = Turns.of(List.of(turn(0, 60, 90, 95), turn(0, 96, 120, 150), turn(1, 50, 260, 270)));
        assertThat(turns.waits(SPAN)).isEqualTo(histogram(24, 210));
    }

    @Test
    void a_waiter_that_never_had_its_turn_has_a_share_of_nothing() {
        var turns = Turns.of(List.of(turn(0, 60, 110, 115), turn(0, 116, 120, 150), turn(2, 50, 160, 170)));
        assertThat(turns.shares(SPAN, 3)).containsExactly(2, 0, 1);
    }

    @Test
    void two_holders_at_once_are_no_measurement() {
        assertThatThrownBy(() -> Turns.of(List.of(turn(0, 0, 100, 120), turn(1, 0, 119, 130))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Two held the lock at once");
    }

    @Test
    void equal_shares_are_wholly_fair() {
        assertThat(Turns.jain(5, 5, 5, 5)).isEqualTo(1.0);
    }

    @Test
    void one_with_everything_leaves_a_fairness_of_one_by_n() {
        assertThat(Turns.jain(20, 0, 0, 0)).isEqualTo(0.25);
    }

    @Test
    void a_turn_survives_the_pipe_between_processes() {
        var turn = turn(3, 1, 2, 3);
        assertThat(Turn.parse(turn.line())).isEqualTo(turn);
    }

    @Test
    void a_span_survives_the_pipe_between_processes() {
        assertThat(Span.parse(SPAN.line())).isEqualTo(SPAN);
    }

    private static Turn turn(int waiter, long asked, long acquired, long releasing) {
        return new Turn(waiter, asked, acquired, releasing);
    }

    private static Histogram histogram(long... values) {
        var histogram = new Histogram(3);
        for (var value : values) {
            histogram.recordValue(value);
        }
        return histogram;
    }
}

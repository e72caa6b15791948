package dev.interlock.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.bench.workload.Callers.Cycles;
import dev.interlock.bench.workload.Window.Span;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallersTest {
    private static final Span SECOND = new Span(0, TimeUnit.SECONDS.toNanos(1));

    @Test
    void a_caller_who_starves_shows_in_the_corrected_percentile_only() {
        var cycles = new Cycles();
        for (var i = 0; i < 1_000; i++) {
            cycles.ended().recordValue(TimeUnit.MILLISECONDS.toNanos(1));
            cycles.lasting().recordValue(TimeUnit.MILLISECONDS.toNanos(1));
        }
        cycles.lasting().recordValue(TimeUnit.SECONDS.toNanos(1));

        assertThat(Millis.at(cycles.ended(), 99)).isBetween(0.9, 1.1);
        // In the time it waited it would have had 500 of its own: the longest waits of these are above 900 ms.
        assertThat(Millis.at(cycles.corrected(SECOND, 2), 99)).isGreaterThan(900);
    }

    @Test
    void callers_who_are_served_in_turn_are_left_as_they_are() {
        var cycles = new Cycles();
        for (var i = 0; i < 1_000; i++) {
            cycles.ended().recordValue(TimeUnit.MILLISECONDS.toNanos(2));
            cycles.lasting().recordValue(TimeUnit.MILLISECONDS.toNanos(2));
        }

        assertThat(Millis.at(cycles.corrected(SECOND, 2), 99)).isBetween(1.9, 2.1);
    }

    @Test
    void a_cycle_that_spans_the_whole_span_overlaps_it() {
        assertThat(SECOND.overlaps(-5, TimeUnit.SECONDS.toNanos(2))).isTrue();
        assertThat(SECOND.overlaps(-5, -1)).isFalse();
        assertThat(SECOND.overlaps(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(2)))
                .isFalse();
    }
}

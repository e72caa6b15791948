package dev.interlock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Figure P50 = Figure.compared("p50", Unit.MILLIS);
    private static final Figure JAIN = Figure.absolute("Jain index", Unit.NUMBER);

    @Test
    void a_ratio_is_the_median_of_the_ratios_of_the_rounds_and_not_the_ratio_of_the_medians() {
        // The machine slows down from round to round; each ratio is taken within its round: 2, 3 and 10.
        assertThat(cellsOf(P50, List.of(1.0, 10.0, 100.0), List.of(2.0, 100.0, 300.0)))
                .isEqualTo("| 10.0 ms | 3.00 × (100 ms) |");
    }

    @Test
    void a_figure_that_means_nothing_as_a_ratio_is_shown_as_it_is() {
        assertThat(cellsOf(JAIN, List.of(1.0), List.of(0.5))).isEqualTo("| 1.00 | 0.50 |");
    }

    @Test
    void of_a_promise_the_worst_round_counts() {
        var kept = Figure.absolute("exclusive", Unit.KEPT);
        assertThat(cellsOf(kept, List.of(0.0, 0.0, 0.0), List.of(0.0, 0.0, 1200.0)))
                .isEqualTo("| yes | no: 1,200 × |");
    }

    @Test
    void who_was_not_measured_has_an_empty_cell() {
        assertThat(cellsOf(P50, List.of(1.0), List.of())).isEqualTo("| 1.00 ms | – |");
    }

    @Test
    void without_a_baseline_values_are_shown_as_they_are() {
        assertThat(cellsOf(P50, List.of(), List.of(2.0))).isEqualTo("| – | 2.00 ms |");
    }

    private static String cellsOf(Figure figure, List<Double> baseline, List<Double> other) {
        var measurements = new ArrayList<Measurement>();
        for (var round = 0; round < baseline.size(); round++) {
            measurements.add(new Measurement(round, "1", "base", figure, baseline.get(round)));
        }
        for (var round = 0; round < other.size(); round++) {
            measurements.add(new Measurement(round, "1", "other", figure, other.get(round)));
        }
        var lines = new Table("callers", List.of("base", "other"), "base", measurements)
                .markdown()
                .lines();
        var row = lines.skip(2).findFirst().orElseThrow();
        return row.substring(("| 1 | " + figure.name() + " ").length());
    }
}

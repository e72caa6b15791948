package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> STATES = List.of("READY", "DESTROYED", "DESTROYING", "FAILED", "CREATING");

    @ParameterizedTest
    @CsvSource({"REDAY, READY", "ready, READY", "DESTROY, DESTROYED", "FAIL, FAILED", "CREATED, CREATING", "X, READY"})
    void the_nearest_word_is_the_one_with_the_fewest_changes(String wrong, String nearest) {
        assertThat(Nearest.to(wrong, STATES)).isEqualTo(nearest);
    }

    @ParameterizedTest
    @CsvSource({"REDAY, READY", "FAIL, FAILED", "CREATED,", "X,", "DESTROY, DESTROYED"})
    void a_word_that_is_too_far_away_was_hardly_meant(String wrong, String likely) {
        assertThat(Nearest.likely(wrong, STATES)).isEqualTo(likely);
    }

    @Test
    void of_no_words_none_is_nearest() {
        assertThat(Nearest.to("X", List.of())).isNull();
        assertThat(Nearest.hint("X", List.of())).isEqualTo(".");
        assertThat(Nearest.hint("REDAY", STATES)).isEqualTo("; the nearest is 'READY'.");
    }

    /** The comparison of two such words would take gigabytes. */
    @Test
    void nobody_misspells_a_word_of_a_million_letters() {
        assertThat(Nearest.to("X".repeat(1_000_000), List.of("Y".repeat(1_000_000), "READY")))
                .isNull();
    }
}

package dev.interlock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void an_odd_number_of_values_has_one_in_the_middle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
    }

    @Test
    void an_even_number_of_values_has_two_in_the_middle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
    }

    @Test
    void nothing_has_no_middle() {
        assertThatThrownBy(() -> Median.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}

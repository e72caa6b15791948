package dev.interlock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitTest {
    @Test
    void small_values_keep_digits_to_read() {
        assertThat(Unit.TIMES.format(0.000172)).isEqualTo("0.00017 ×");
        assertThat(Unit.TIMES.format(0.0222)).isEqualTo("0.022 ×");
        assertThat(Unit.MILLIS.format(0.444)).isEqualTo("0.44 ms");
    }

    @Test
    void large_values_drop_decimals_that_mean_nothing() {
        assertThat(Unit.TIMES.format(117.7)).isEqualTo("118 ×");
        assertThat(Unit.MILLIS.format(6060.4)).isEqualTo("6,060 ms");
        assertThat(Unit.PER_SECOND.format(4200.4)).isEqualTo("4,200/s");
        assertThat(Unit.NUMBER.format(2592.2)).isEqualTo("2,592");
    }
}

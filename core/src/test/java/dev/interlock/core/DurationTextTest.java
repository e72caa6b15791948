package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "30s, PT30S",
        "10m, PT10M",
        "1h30m, PT1H30M",
        "2d, PT48H",
        "1d2h3m4s5ms, PT26H3M4.005S",
        "90s, PT1M30S",
        "0s, PT0S",
        "PT5M, PT5M",
        "pt1h, PT1H",
    })
    void durations_are_read_as_people_write_them(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | '' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "soon | 'soon' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "1.5h | '1.5h' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "5 m | '5 m' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "5m5m | '5m5m' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "5s1m | '5s1m' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "PT | 'PT' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.",
                "30 | '30' lacks a unit; write for example 30s or 30m.",
                "-5s | '-5s' is negative; a duration is not.",
                "PT-5S | 'PT-5S' is negative; a duration is not.",
                "99999999999999999999s | '99999999999999999999s' is longer than any duration can be.",
                "9223372036854775807d | '9223372036854775807d' is longer than any duration can be.",
            },
            quoteCharacter = '`')
    void what_is_no_duration_is_refused_with_one_sentence(String text, String sentence) {
        String given = text.equals("''") ? "" : text;
        assertThatThrownBy(() -> DurationText.parse(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.25S, 250ms",
        "PT1.9S, 1s",
        "PT4M12S, 4m12s",
        "PT1H30M, 1h30m",
        "PT1H0M5S, 1h",
        "PT51H, 2d3h",
        "PT-5S, -5s",
    })
    void durations_are_shown_by_their_two_largest_units(Duration duration, String shown) {
        assertThat(DurationText.show(duration)).isEqualTo(shown);
    }

    @Test
    void what_is_shown_can_be_read() {
        for (long seconds = 0; seconds < 100_000_000; seconds = seconds * 3 + 1) {
            String shown = DurationText.show(Duration.ofSeconds(seconds));
            assertThat(DurationText.show(DurationText.parse(shown))).isEqualTo(shown);
        }
    }
}

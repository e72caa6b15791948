package dev.interlock.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void ordinary_text_of_any_script_is_left_as_it_is() {
        String text = "prod/größe 東京 مرحبا 👩‍🚀 \\ ~";
        assertThat(Printable.of(text)).isSameAs(text);
    }

    @Test
    void what_a_terminal_could_obey_is_shown_as_a_number() {
        assertThat(Printable.of("a\033[31mred\u009b0m\r\n\tb\u202Ec\u2028d\u0000\ud800e"))
                .isEqualTo("a\\u{1b}[31mred\\u{9b}0m\\u{d}\\u{a}\\u{9}b\\u{202e}c\\u{2028}d\\u{0}\\u{d800}e");
    }

    @Test
    void lines_stay_lines_where_they_are_wanted() {
        assertThat(Printable.lines("one\ntwo\033")).isEqualTo("one\ntwo\\u{1b}");
    }

    @Test
    void width_is_counted_as_terminals_count_it() {
        assertThat(Printable.width("abc")).isEqualTo(3);
        assertThat(Printable.width("東京")).isEqualTo(4);
        assertThat(Printable.width("e\u0301")).isEqualTo(1);
        assertThat(Printable.width("🚀")).isEqualTo(2);
    }

    @Test
    void a_cut_text_fits_and_says_that_something_is_missing() {
        assertThat(Printable.cut("production", 10)).isEqualTo("production");
        assertThat(Printable.cut("production", 5)).isEqualTo("prod…");
        assertThat(Printable.cut("東京都", 4)).isEqualTo("東…");
    }
}

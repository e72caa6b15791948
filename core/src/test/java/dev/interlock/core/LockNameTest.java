package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockNameTest {
    private static final String UNFIT =
            ": control characters, line separators, direction overrides and unpaired surrogates are refused.";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "production/deployment/payment-api",
                "two words",
                "'; DROP TABLE lock; --",
                "Größe",
                "データベース",
                "قاعدة البيانات",
                "👩‍👩‍👧‍👦",
                "🏴\uDB40\uDC67\uDB40\uDC62\uDB40\uDC73\uDB40\uDC63\uDB40\uDC74\uDB40\uDC7F",
                "نامه\u200Cای",
            })
    void free_text_is_a_name(String text) {
        assertThat(LockName.of(text)).hasToString(text);
    }

    static Stream<Arguments> unfit() {
        return Stream.of(
                Arguments.of("", "A lock name must not be empty."),
                Arguments.of("   ", "A lock name must not be empty."),
                Arguments.of("\n", "A lock name must not be empty."),
                Arguments.of(" a", "A lock name must not begin or end with white space."),
                Arguments.of("a\u00A0", "A lock name must not begin or end with white space."),
                Arguments.of("a\t", "A lock name must not begin or end with white space."),
                Arguments.of("x".repeat(513), "A lock name has at most 512 characters; this one has 513."),
                Arguments.of("𝔵".repeat(600), "A lock name has at most 512 characters; this one has 600."),
                Arguments.of("a\u0000b", refused("U+0000", 2)),
                Arguments.of("a\nb", refused("U+000A", 2)),
                Arguments.of("a\u001B[31m", refused("U+001B", 2)),
                Arguments.of("😀\u007F.", refused("U+007F", 2)),
                Arguments.of("a\u2028b", refused("U+2028", 2)),
                Arguments.of("pay\u202Ellor", refused("U+202E", 4)),
                Arguments.of("a\u200Bb", refused("U+200B", 2)),
                Arguments.of("\uFEFFa", refused("U+FEFF", 1)),
                Arguments.of("a\u00ADb", refused("U+00AD", 2)),
                Arguments.of("a\uD800b", refused("U+D800", 2)),
                Arguments.of("a\uDC00", refused("U+DC00", 2)));
    }

    private static String refused(String point, int position) {
        return "A lock name must not contain the character " + point + " (at position " + position + ")" + UNFIT;
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void what_cannot_be_a_name_is_refused_in_one_sentence(String text, String sentence) {
        assertThatThrownBy(() -> LockName.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void the_longest_name_is_counted_in_characters() {
        assertThat(LockName.of("x".repeat(512)).value()).hasSize(512);
        assertThat(LockName.of("𝔵".repeat(512)).value()).hasSize(1024);
    }

    @Test
    void two_spellings_of_one_word_are_one_name() {
        assertThat(LockName.of("cafe\u0301")).isEqualTo(LockName.of("caf\u00e9"));
        assertThat(LockName.of("cafe\u0301").value()).isEqualTo("caf\u00e9");
    }

    @Test
    void names_sort_by_character() {
        List<String> sorted = Stream.of("😀", "\uFF5E", "a/b", "a", "B", "ab", "10", "9")
                .map(LockName::of)
                .sorted()
                .map(LockName::value)
                .toList();

        assertThat(sorted).containsExactly("10", "9", "B", "a", "a/b", "ab", "\uFF5E", "😀");
    }

    @Test
    void names_compare_equal_only_when_they_are() {
        LockName name = LockName.of("a/b");

        assertThat(name).isEqualByComparingTo(LockName.of("a/b")).isNotEqualByComparingTo(LockName.of("a/b/c"));
    }
}

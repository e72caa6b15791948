package dev.interlock.core.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
    private static Request request(String workflow, String target, Map<String, String> parameters) {
        return Request.of(workflow, target, parameters, "alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"terraform-apply", "CREATE", "restart-deployment", "team/scale:v2", "7zip", "größe", "a_b.c@1"})
    void a_workflow_is_a_word(String workflow) {
        assertThat(request(workflow, "prod/c1", Map.of("SIZE", "3", "a.b-c", "two\nlines\tand a tab"))
                        .faults())
                .isEmpty();
    }

    static Stream<Arguments> malformed() {
        String word = "A workflow begins with a letter or digit and goes on with letters, digits and . _ - / : @; ";
        String name =
                "The name of a parameter begins with a letter or _ and goes on with letters, digits and _ . - of ASCII; ";
        return Stream.of(
                Arguments.of(request("W", "", Map.of()), "A target must not be empty."),
                Arguments.of(
                        request("W", "x".repeat(513), Map.of()),
                        "A target has at most 512 characters; this one has 513."),
                Arguments.of(request("", "t", Map.of()), "A workflow must not be empty."),
                Arguments.of(
                        request("w".repeat(129), "t", Map.of()),
                        "A workflow has at most 128 characters; this one has 129."),
                Arguments.of(request("two words", "t", Map.of()), word + "'two words' does not."),
                Arguments.of(request("-w", "t", Map.of()), word + "'-w' does not."),
                Arguments.of(request("w\u001B[31m", "t", Map.of()), word + "'wU+001B[31m' does not."),
                Arguments.of(request("W", "t", Map.of("1st", "")), name + "'1st' does not."),
                Arguments.of(request("W", "t", Map.of("", "")), name + "'' does not."),
                Arguments.of(request("W", "t", Map.of("a=b", "")), name + "'a=b' does not."),
                Arguments.of(request("W", "t", Map.of("é", "")), name + "'é' does not."),
                Arguments.of(request("W", "t", Map.of("-x", "")), name + "'-x' does not."),
                Arguments.of(request("W", "t", Map.of(".x", "")), name + "'.x' does not."),
                Arguments.of(
                        request("W", "t", Map.of("p".repeat(129), "")),
                        "The name of a parameter has at most 128 characters; '" + "p".repeat(40) + "…' has 129."),
                Arguments.of(
                        request("W", "t", Map.of("INTERLOCK_TOKEN", "1")),
                        "Names of parameters that begin with INTERLOCK_ are reserved; 'INTERLOCK_TOKEN' does."),
                Arguments.of(
                        request("W", "t", Map.of("P", "a\u0007")),
                        "Parameter 'P' must not contain the character U+0007."),
                Arguments.of(
                        request("W", "t", Map.of("P", "a\0")), "Parameter 'P' must not contain the character U+0000."),
                Arguments.of(
                        request("W", "t", Map.of("P", "\uDC00")),
                        "Parameter 'P' must not contain the character U+DC00."),
                Arguments.of(
                        request("W", "t", Map.of("P", "é".repeat(32 * 1024) + "x")),
                        "A parameter has at most 65536 bytes; 'P' has 65537."),
                Arguments.of(request("W", "t", numbered(257, "")), "There are at most 256 parameters; these are 257."),
                Arguments.of(
                        request("W", "t", numbered(5, "x".repeat(60_000))),
                        "Parameters have at most 262144 bytes together; these have 300010."));
    }

    private static Map<String, String> numbered(int many, String value) {
        Map<String, String> parameters = new HashMap<>();
        for (int number = 0; number < many; number++) {
            parameters.put("P" + number, value);
        }
        return parameters;
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void what_is_malformed_is_told_in_one_sentence(Request request, String sentence) {
        assertThat(request.faults()).containsExactly(sentence);
    }

    @Test
    void the_largest_parameters_fit() {
        assertThat(request("W", "t", Map.of("P", "x".repeat(65_536))).faults()).isEmpty();
        assertThat(request("w".repeat(128), "t", numbered(256, "v")).faults()).isEmpty();
    }

    @Test
    void every_fault_is_told() {
        assertThat(request("", " ", Map.of("a b", "\0")).faults()).hasSize(4);
    }

    @Test
    void the_same_work_has_the_same_fingerprint_however_it_is_written() {
        Map<String, String> one = new LinkedHashMap<>();
        one.put("A", "1");
        one.put("B", "2");
        Map<String, String> other = new LinkedHashMap<>();
        other.put("B", "2");
        other.put("A", "1");

        assertThat(request("W", "caf\u00e9", one).fingerprint())
                .isEqualTo(request("W", "cafe\u0301", other).fingerprint())
                .matches("[0-9a-f]{64}");
    }

    @Test
    void other_work_has_another_fingerprint() {
        List<Request> all = List.of(
                request("W", "t", Map.of()),
                request("W", "t2", Map.of()),
                request("W2", "t", Map.of()),
                request("Wt", "", Map.of()),
                request("W", "t", Map.of("A", "")),
                request("W", "t", Map.of("", "A")),
                request("W", "t", Map.of("A", "1")),
                request("W", "t", Map.of("A1", "")),
                request("W", "t", Map.of("A", "B", "C", "D")),
                request("W", "t", Map.of("A", "D", "C", "B")));

        assertThat(all.stream().map(Request::fingerprint)).doesNotHaveDuplicates();
    }

    @Test
    void who_asks_must_be_named_in_one_line() {
        assertThatThrownBy(() -> Request.of("W", "t", Map.of(), " ")).hasMessage("The requester must not be empty.");
        assertThatThrownBy(() -> Request.of("W", "t", Map.of(), "a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request("W", "t", Map.of()).withIdempotencyKey("k".repeat(257)))
                .hasMessage("The idempotency key has at most 256 characters; this one has 257.");
    }
}

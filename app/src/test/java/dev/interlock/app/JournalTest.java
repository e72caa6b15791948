package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checker of the great runs must itself be able to find fault. */
class JournalTest {
    private static List<String> violations(Set<String> killed, String... lines) {
        return Journal.of(List.of(lines)).violations(killed);
    }

    @Test
    void one_after_the_other_is_in_order() {
        assertThat(violations(Set.of(), "enter 1 a", "leave 1 a", "enter 4 b", "leave 4 b"))
                .isEmpty();
    }

    @Test
    void two_inside_at_once_are_found() {
        assertThat(violations(Set.of(), "enter 1 a", "enter 2 b", "leave 1 a", "leave 2 b"))
                .containsExactly(
                        "Line[what=enter, token=2, who=b] while inside was Line[what=enter, token=1, who=a]",
                        "Line[what=leave, token=1, who=a] while inside was Line[what=enter, token=2, who=b]",
                        "Line[what=leave, token=2, who=b] while inside was null");
    }

    @Test
    void a_token_that_does_not_rise_is_found() {
        assertThat(violations(Set.of(), "enter 2 a", "leave 2 a", "enter 2 b", "leave 2 b"))
                .containsExactly("Line[what=enter, token=2, who=b] after token 2");
    }

    @Test
    void a_process_that_outlived_its_turn_is_found() {
        assertThat(violations(Set.of("a"), "enter 1 a", "intruder 2 b", "enter 2 b", "leave 2 b"))
                .containsExactly("Line[what=intruder, token=2, who=b]");
    }

    @Test
    void only_the_killed_may_go_without_a_word() {
        assertThat(violations(Set.of("a"), "enter 1 a", "enter 2 b", "leave 2 b"))
                .isEmpty();
        assertThat(violations(Set.of(), "enter 1 a")).containsExactly("Line[what=enter, token=1, who=a] never left");
    }
}

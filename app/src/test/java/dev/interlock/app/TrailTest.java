package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker of the trails that killed and frozen workers leave must itself be able to find fault. */
class TrailTest {
    private static List<String> violations(String... lines) {
        return Trail.of(List.of(lines)).violations();
    }

    @Test
    void a_retry_after_a_loss_is_in_order() {
        assertThat(violations(
                        "REGISTERED 0  - 1 1",
                        "REQUESTED 0 a PENDING 1 1",
                        "GRANTED 1 a RUNNING 2 2",
                        "EXPIRED 1 a PENDING 2 7",
                        "GRANTED 2 a RUNNING 7 7",
                        "STALE 1 a RUNNING 8 8",
                        "RELEASED 2 a COMPLETED 7 9"))
                .isEmpty();
    }

    @Test
    void two_tenures_that_overlap_are_found() {
        assertThat(violations(
                        "GRANTED 1 a RUNNING 2 2",
                        "RELEASED 1 a COMPLETED 2 8",
                        "GRANTED 2 b RUNNING 7 7",
                        "RELEASED 2 b COMPLETED 7 9"))
                .containsExactly("Token 2 was granted before the tenure of 1 ended");
    }

    @Test
    void a_tenure_that_never_ended_or_ended_twice_is_found() {
        assertThat(violations("GRANTED 1 a RUNNING 2 2")).containsExactly("Token 1 ended 0 times", "a ended 0 times");
        assertThat(violations("GRANTED 1 a RUNNING 2 2", "EXPIRED 1 a FAILED 2 7", "RELEASED 1 a COMPLETED 2 8"))
                .containsExactly("Token 1 ended 2 times", "a ended 2 times");
    }

    @Test
    void an_execution_that_ended_twice_is_found() {
        assertThat(violations(
                        "GRANTED 1 a RUNNING 2 2",
                        "EXPIRED 1 a FAILED 2 7",
                        "GRANTED 2 a RUNNING 7 7",
                        "RELEASED 2 a COMPLETED 7 9"))
                .containsExactly("a ended 2 times");
    }

    @Test
    void a_token_that_was_granted_twice_is_found() {
        assertThat(violations("GRANTED 1 a RUNNING 2 2", "GRANTED 1 a RUNNING 3 3", "RELEASED 1 a COMPLETED 2 3"))
                .containsExactly("Token 1 was granted twice");
    }
}

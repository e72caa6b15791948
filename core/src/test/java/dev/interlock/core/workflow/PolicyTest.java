package dev.interlock.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.execution.Retry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PolicyTest {
    @Test
    void remediation_is_the_table_as_it_stands() {
        assertThat(Policy.REMEDIATION)
                .isEqualTo(new Policy(
                        Duration.ofMinutes(5),
                        Scope.WORKFLOW,
                        Scope.TARGET,
                        new Backoff(Duration.ofSeconds(60), Duration.ofMinutes(10), 5, Duration.ofHours(1)),
                        new Retry(1, Duration.ofMinutes(5), Duration.ofMinutes(30), false),
                        Duration.ofMinutes(30),
                        Duration.ofSeconds(30)));
    }

    @Test
    void plain_trusts_people_and_repeats_what_may_pass() {
        assertThat(Policy.PLAIN)
                .isEqualTo(new Policy(
                        Duration.ZERO,
                        Scope.WORKFLOW,
                        null,
                        null,
                        new Retry(3, Duration.ofMinutes(5), Duration.ofMinutes(30), false),
                        null,
                        Duration.ofSeconds(30)));
    }

    @Test
    void every_single_value_can_be_set() {
        Policy all = Policy.PLAIN
                .withCooldown(Duration.ofMinutes(5), Scope.WORKFLOW)
                .withBlock(Scope.TARGET)
                .withBackoff(Backoff.DEFAULT)
                .withRetry(Retry.NONE)
                .withTimeout(Duration.ofMinutes(30));

        assertThat(all).isEqualTo(Policy.REMEDIATION);
        assertThat(all.withLease(Duration.ofMinutes(60)).lease()).isEqualTo(Duration.ofMinutes(60));
    }

    @Test
    void times_out_of_bounds_are_refused() {
        assertThatThrownBy(() -> Policy.PLAIN.withCooldown(Duration.ofSeconds(-1), Scope.TARGET))
                .hasMessage("A cooldown must be between 0s and 366 days, not -1s.");
        assertThatThrownBy(() -> Policy.PLAIN.withLease(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Policy.PLAIN.withTimeout(Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

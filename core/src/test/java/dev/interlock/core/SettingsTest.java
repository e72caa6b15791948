package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before it can do harm: times that do not go together, texts that nobody could read. */
class SettingsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void a_lease_of_half_a_minute_is_renewed_at_a_third_and_given_up_at_two() {
        assertThat(Settings.DEFAULT.lease()).isEqualTo(LEASE);
        assertThat(Settings.DEFAULT.renewAfter(LEASE)).isBetween(Duration.ofMillis(9_999), Duration.ofSeconds(10));
        assertThat(Settings.DEFAULT.trusted(LEASE)).isBetween(Duration.ofMillis(19_999), Duration.ofSeconds(20));
    }

    @Test
    void renewing_at_four_fifths_is_a_setting() {
        assertThat(new Settings(LEASE, 0.8, 0.9, 3).renewAfter(LEASE)).isEqualTo(Duration.ofSeconds(24));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.099S, 0.3, 0.6, 3", "PT0S, 0.3, 0.6, 3", "PT-1S, 0.3, 0.6, 3", "PT8785H, 0.3, 0.6, 3",
        "PT30S, 0, 0.6, 3", "PT30S, -0.1, 0.6, 3", "PT30S, 0.6, 0.6, 3", "PT30S, 0.7, 0.6, 3",
        "PT30S, 0.3, 0.91, 3", "PT30S, 0.3, 1, 3", "PT30S, NaN, 0.6, 3", "PT30S, 0.3, NaN, 3",
        "PT30S, 0.3, 0.6, 0", "PT30S, 0.3, 0.6, 101",
    })
    void times_that_do_not_go_together_are_refused(Duration lease, double renewAt, double stopAt, int tries) {
        assertThatThrownBy(() -> new Settings(lease, renewAt, stopAt, tries))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_edges_are_allowed() {
        assertThat(new Settings(Lease.SHORTEST, 0.01, 0.9, 1).withLease(Lease.LONGEST))
                .isEqualTo(new Settings(Lease.LONGEST, 0.01, 0.9, 1));
    }

    @ParameterizedTest
    @CsvSource({"PT0S", "PT-1S", "PT0.05S", "PT8785H"})
    void a_lease_that_is_too_short_or_too_long_is_refused(Duration duration) {
        assertThatThrownBy(() -> new Lease(new UUID(0, 1), "a", "b", duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A lease lasts from 100 ms to 366 days, not " + duration + ".");
    }

    @Test
    void terms_are_bounded() {
        assertThatThrownBy(() -> Terms.PLAIN.withLockDelay(Duration.ofSeconds(-1)))
                .hasMessage("The lock-delay must be between PT0S and 366 days, not PT-1S.");
        assertThatThrownBy(() -> Terms.PLAIN.withCooldown(Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Terms.PLAIN.withMaxHold(Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Terms.PLAIN.withMaxHold(Lease.LONGEST).maxHold()).isEqualTo(Lease.LONGEST);
    }

    @Test
    void a_wait_is_bounded() {
        assertThatThrownBy(() -> Options.waiting(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Options.waiting(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Options.refusing().withQueueLimit(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_holder_is_somebody() {
        assertThatThrownBy(() -> new Holder(" ", 1, "o", "u")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Holder("e", 0, "o", "u")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Holder("e", 1, "o\n", "u")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Holder("e", 1, "o", "u".repeat(257))).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Holder("e", 1, "ci-7:42:abc", "u").host()).isEqualTo("ci-7");
        assertThat(new Holder("e", 1, "ci-7", "u").host()).isEqualTo("ci-7");
    }

    @Test
    void an_order_and_a_hold_need_a_reason() {
        assertThatThrownBy(() -> new Force(LockName.of("a"), 1, "me", " ", false))
                .hasMessage("A forced release needs a reason.");
        assertThatThrownBy(() -> new Force(LockName.of("a"), 1, "", "why", false))
                .hasMessage("A forced release needs to know who orders it.");
        assertThatThrownBy(() -> new Maintenance("", null)).hasMessage("Holding for maintenance needs a reason.");
    }

    @Test
    void a_page_is_bounded() {
        assertThatThrownBy(() -> new Page.Request(null, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Page.Request(null, 1001)).isInstanceOf(IllegalArgumentException.class);
    }
}

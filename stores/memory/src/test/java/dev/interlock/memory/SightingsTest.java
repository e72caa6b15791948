package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.polling.Sightings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Judging by observation: a record that stayed the same for a whole lease has not been renewed. */
class SightingsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualPorts time = new ManualPorts(1);
    private final Sightings sightings = new Sightings(time.ports().ticker());

    private boolean seen(Object version) {
        return sightings.unchangedFor(LEASE, "record", version, now());
    }

    private long now() {
        return time.elapsed().toNanos();
    }

    @Test
    void what_is_seen_for_the_first_time_may_be_as_fresh_as_can_be() {
        assertThat(seen(7)).isFalse();
    }

    @Test
    void what_stayed_the_same_for_a_whole_lease_is_over() {
        seen(7);

        time.advance(LEASE.minusNanos(1));
        assertThat(seen(7)).isFalse();
        time.advance(Duration.ofNanos(1));

        assertThat(seen(7)).isTrue();
    }

    @Test
    void a_renewal_begins_the_observation_anew() {
        seen(7);
        time.advance(LEASE.minusSeconds(1));
        seen(8);

        time.advance(LEASE.minusSeconds(1));

        assertThat(seen(8)).isFalse();
    }

    @Test
    void looking_more_often_ends_nothing_sooner() {
        for (int second = 0; second < 30; second++) {
            assertThat(seen(7)).isFalse();
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(seen(7)).isTrue();
    }

    /**
     * The first answer was a long time on its way, and the second request was sent before the lease was over but
     * answered after: neither journey may count, since the record can have been renewed just before it was read.
     */
    @Test
    void time_on_the_way_is_never_counted() {
        long askedAt = now();
        time.advance(Duration.ofSeconds(20));
        assertThat(sightings.unchangedFor(LEASE, "record", 7, askedAt)).isFalse();
        time.advance(Duration.ofSeconds(15));
        assertThat(seen(7)).isFalse();
        long askedAgain = now();
        time.advance(Duration.ofSeconds(20));

        assertThat(sightings.unchangedFor(LEASE, "record", 7, askedAgain)).isFalse();
        assertThat(seen(7)).isTrue();
    }

    @Test
    void an_observer_that_forgot_observes_again() {
        seen(7);
        time.advance(LEASE);
        sightings.forget("record");

        assertThat(seen(7)).isFalse();
    }

    @Test
    void records_are_observed_each_for_itself() {
        seen(7);
        time.advance(LEASE);

        assertThat(sightings.unchangedFor(LEASE, "other", 7, now())).isFalse();
        assertThat(seen(7)).isTrue();
    }
}

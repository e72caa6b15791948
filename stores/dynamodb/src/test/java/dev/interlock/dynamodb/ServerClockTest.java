package dev.interlock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.ManualPorts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The server's clock, from the seconds in its answers: the truth always lies between the bounds. */
class ServerClockTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    private final ManualPorts time = new ManualPorts(1);
    private final ServerClock clock = new ServerClock(time.ports().ticker());

    /** An answer that was made at this instant of the server and arrives so much later. */
    private void hear(Instant made, Duration there, Duration back) {
        long sentAt = now();
        time.freeze(there.plus(back));
        clock.heard(made.truncatedTo(ChronoUnit.SECONDS), sentAt, now());
    }

    private long now() {
        return time.elapsed().toNanos();
    }

    @Test
    void one_answer_tells_the_time_to_a_second_and_its_journey() {
        hear(NOON.plusMillis(700), Duration.ofMillis(30), Duration.ofMillis(20));

        assertThat(clock.earliest()).isEqualTo(NOON);
        assertThat(clock.latest()).isEqualTo(NOON.plusMillis(1050));
    }

    @Test
    void what_has_not_surely_passed_has_not() {
        hear(NOON, Duration.ZERO, Duration.ZERO);

        assertThat(clock.hasCome(NOON)).isTrue();
        assertThat(clock.isPast(NOON))
                .as("other machines of the service may be a second behind")
                .isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(clock.isPast(NOON)).isTrue();
    }

    @Test
    void answers_narrow_it_down_and_never_exclude_the_truth() {
        SplittableRandom chance = new SplittableRandom(7);
        Instant atStart = NOON.plusMillis(345);
        for (int answer = 0; answer < 1000; answer++) {
            time.freeze(Duration.ofMillis(chance.nextLong(3000)));
            Duration there = Duration.ofMillis(chance.nextLong(20));
            Duration back = Duration.ofMillis(chance.nextLong(20));
            hear(atStart.plus(time.elapsed()).plus(there), there, back);
            Instant truth = atStart.plus(time.elapsed());
            assertThat(clock.earliest()).isBeforeOrEqualTo(truth);
            assertThat(clock.latest().plusMillis(1)).isAfterOrEqualTo(truth);
        }
        assertThat(Duration.between(clock.earliest(), clock.latest())).isLessThan(Duration.ofMillis(200));
    }

    /** A server whose clock runs a little faster or slower than ours. */
    @Test
    void a_drift_is_followed() {
        for (int minute = 0; minute < 600; minute++) {
            time.freeze(Duration.ofMinutes(1));
            Instant truth = NOON.plusNanos((long) (now() * 1.0001));
            hear(truth, Duration.ZERO, Duration.ZERO);
            assertThat(clock.earliest()).isBeforeOrEqualTo(truth);
            assertThat(clock.latest().plusMillis(1)).isAfterOrEqualTo(truth);
        }
    }

    @Test
    void a_clock_that_was_set_is_believed_at_once() {
        hear(NOON, Duration.ZERO, Duration.ZERO);
        hear(NOON.minusSeconds(3600), Duration.ZERO, Duration.ZERO);
        assertThat(clock.latest()).isEqualTo(NOON.minusSeconds(3599));

        hear(NOON.plusSeconds(3600), Duration.ZERO, Duration.ZERO);
        assertThat(clock.earliest()).isEqualTo(NOON.plusSeconds(3600));
    }
}

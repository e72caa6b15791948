package dev.interlock.core.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.execution.Jitter;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    /** Around 60 s, 2, 4, 8, 10 and 10 min, a tenth less or more, but never less than 60 s or more than 10 min. */
    private record Bounds(int failures, long leastMillis, long mostMillis) {}

    private static final List<Bounds> BOUNDS = List.of(
            new Bounds(1, 60_000, 66_000),
            new Bounds(2, 108_000, 132_000),
            new Bounds(3, 216_000, 264_000),
            new Bounds(4, 432_000, 528_000),
            new Bounds(5, 540_000, 600_000),
            new Bounds(6, 540_000, 600_000),
            new Bounds(7, 540_000, 600_000),
            new Bounds(1000, 540_000, 600_000));

    /** The checker: for how many failures a delay leaves its bounds, or does not come near both of them. */
    private static List<Integer> wrong(BiFunction<Integer, String, Duration> delay) {
        return BOUNDS.stream()
                .filter(bounds -> {
                    List<Long> seen = IntStream.range(0, 3000)
                            .mapToObj(number -> delay.apply(bounds.failures(), "exec-" + number)
                                    .toMillis())
                            .toList();
                    long least = seen.stream().min(Long::compare).orElseThrow();
                    long most = seen.stream().max(Long::compare).orElseThrow();
                    long near = (bounds.mostMillis() - bounds.leastMillis()) / 50;
                    return least < bounds.leastMillis()
                            || least > bounds.leastMillis() + near
                            || most > bounds.mostMillis()
                            || most < bounds.mostMillis() - near;
                })
                .map(Bounds::failures)
                .toList();
    }

    @Test
    void delays_double_swing_by_a_tenth_and_keep_between_base_and_maximum() {
        assertThat(wrong(Backoff.DEFAULT::delay)).isEmpty();
    }

    @Test
    void a_delay_that_does_not_swing_grow_or_keep_its_bounds_is_caught() {
        Duration minute = Duration.ofMinutes(1);

        assertThat(wrong((failures, id) -> minute)).as("never grows").hasSize(8);
        assertThat(wrong((failures, id) -> Backoff.DEFAULT.delay(failures, "same")))
                .as("never swings")
                .hasSize(8);
        assertThat(wrong((failures, id) -> Backoff.DEFAULT.delay(failures + 1, id)))
                .as("counts one too many")
                .containsExactly(1, 2, 3, 4);
        assertThat(wrong((failures, id) -> swing(Math.min(60_000L << Math.min(failures - 1, 4), 600_000), id)))
                .as("leaves the bounds")
                .containsExactly(1, 5, 6, 7, 1000);
    }

    private static Duration swing(long millis, String id) {
        return Duration.ofMillis((long) (millis * (0.9 + 0.2 * Jitter.of(id, 1))));
    }

    @Test
    void asking_twice_gives_the_same_delay() {
        assertThat(Backoff.DEFAULT.delay(3, "exec-1"))
                .isEqualTo(Backoff.DEFAULT.delay(3, "exec-1"))
                .isNotEqualTo(Backoff.DEFAULT.delay(3, "exec-2"));
    }

    @Test
    void the_doubling_stops_after_four_times_even_below_the_maximum() {
        Backoff wide = Backoff.DEFAULT.withDelays(Duration.ofSeconds(1), Duration.ofDays(366));

        for (int failures : new int[] {5, 6, 64, 65, Integer.MAX_VALUE}) {
            assertThat(wide.delay(failures, "exec-1")).isBetween(Duration.ofMillis(14_400), Duration.ofMillis(17_600));
        }
    }

    @Test
    void the_largest_settings_do_not_overflow() {
        Backoff large = Backoff.DEFAULT.withDelays(Duration.ofDays(366), Duration.ofDays(366));

        assertThat(large.delay(9, "exec-1")).isEqualTo(Duration.ofDays(366));
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> Backoff.DEFAULT.withDelays(Duration.ofMinutes(2), Duration.ofMinutes(1)))
                .hasMessage("A backoff grows from 2m to 1m: it takes 0 < base <= max <= 366 days.");
        assertThatThrownBy(() -> Backoff.DEFAULT.withDelays(Duration.ZERO, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.DEFAULT.withDelays(Duration.ofDays(1), Duration.ofDays(367)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.DEFAULT.withLimit(0))
                .hasMessage("A target is closed after 1 failure or more, not 0.");
        assertThatThrownBy(() -> Backoff.DEFAULT.withProbeAfter(Duration.ZERO))
                .hasMessage("A probe follows after more than nothing and at most 366 days, not 0s.");
    }
}

package dev.interlock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PortsTest {
    private final SplittableRandom random = new SplittableRandom(7);
    private final List<Runnable> timers = new ArrayList<>();
    private final Ports ports = new Ports(() -> 0, this::after, (name, work) -> work.run(), random::nextLong);

    private Ports.Timer after(Duration delay, Runnable task) {
        timers.add(task);
        return () -> timers.remove(task);
    }

    @Test
    void a_random_id_says_that_it_is_one() {
        UUID id = ports.randomId();

        assertThat(id.version()).isEqualTo(4);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(ports.randomId()).isNotEqualTo(id);
    }

    @Test
    void jitter_is_anything_from_nothing_to_the_whole() {
        Duration whole = Duration.ofNanos(3);
        List<Duration> drawn = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            drawn.add(ports.jittered(whole));
        }

        assertThat(drawn)
                .containsOnly(Duration.ZERO, Duration.ofNanos(1), Duration.ofNanos(2), whole)
                .contains(Duration.ZERO, whole);
        assertThat(ports.jittered(Duration.ZERO)).isZero();
    }

    @Test
    void what_is_done_is_not_waited_for() throws Exception {
        assertThat(ports.await(CompletableFuture.completedFuture("done"), Duration.ofDays(1)))
                .isTrue();
        assertThat(ports.await(CompletableFuture.failedFuture(new AssertionError()), Duration.ofDays(1)))
                .isTrue();
        assertThat(timers).isEmpty();
    }
}

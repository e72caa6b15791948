package dev.interlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ManualPortsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualPorts time = new ManualPorts(7);
    private final Ports ports = time.ports();
    private final List<String> told = new ArrayList<>();

    @Test
    void what_is_due_happens_in_order_and_at_its_time() {
        ports.timers().after(SECOND.multipliedBy(2), () -> told.add("second at " + time.elapsed()));
        ports.timers().after(SECOND, () -> told.add("first at " + time.elapsed()));
        ports.timers().after(HOUR, () -> told.add("later"));

        time.advance(SECOND.multipliedBy(3));

        assertThat(told).containsExactly("first at PT1S", "second at PT2S");
        assertThat(ports.ticker().nanos()).isEqualTo(3_000_000_000L);
    }

    @Test
    void what_was_cancelled_does_not_happen() {
        ports.timers().after(SECOND, () -> told.add("never")).cancel();

        time.advance(HOUR);

        assertThat(told).isEmpty();
    }

    @Test
    void nothing_happens_while_time_is_frozen() {
        ports.timers().after(SECOND, () -> told.add("at " + time.elapsed()));

        time.freeze(HOUR);
        assertThat(told).isEmpty();
        time.advance(Duration.ZERO);

        assertThat(told).containsExactly("at PT1H");
    }

    @Test
    void a_call_takes_the_time_it_takes() {
        String answer = time.call(() -> {
            ports.pause(HOUR);
            return "rested";
        });

        assertThat(answer).isEqualTo("rested");
        assertThat(time.elapsed()).isEqualTo(HOUR);
    }

    @Test
    void a_move_ends_when_all_that_it_set_going_has_come_to_rest() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        ports.timers()
                .after(
                        SECOND,
                        () -> ports.tasks().start("chain", () -> {
                            gate.join();
                            ports.tasks().start("next", () -> told.add("done"));
                        }));

        time.advance(SECOND);
        assertThat(told).isEmpty();
        gate.complete(null);
        time.advance(Duration.ZERO);

        assertThat(told).containsExactly("done");
    }

    @Test
    void a_call_that_would_wait_for_ever_is_a_failure() {
        assertThatThrownBy(() -> time.call(() -> new CompletableFuture<String>().join()))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void something_that_is_busy_without_end_is_a_failure() {
        busy();

        assertThatThrownBy(() -> time.advance(SECOND)).isInstanceOf(AssertionError.class);
    }

    private void busy() {
        ports.timers().after(Duration.ZERO, this::busy);
    }

    @Test
    void an_interrupted_call_says_so() {
        var call = time.begin(() -> {
            ports.pause(HOUR);
            return "rested";
        });

        call.interrupt();

        assertThatThrownBy(call::result)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void what_background_work_dies_of_is_known() {
        ports.tasks().start("doomed", () -> {
            throw new IllegalStateException("doomed");
        });

        time.advance(Duration.ZERO);

        assertThat(time.crashes()).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void the_same_seed_draws_the_same_chance() {
        assertThat(new ManualPorts(7).ports().randomId()).isEqualTo(ports.randomId());
        assertThat(new ManualPorts(8).ports().randomId())
                .isNotEqualTo(new ManualPorts(7).ports().randomId());
    }
}

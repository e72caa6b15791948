package dev.interlock.engine;

import static dev.interlock.engine.Plant.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.Phase;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of one brings the next in line, in the slot of the one before it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class SuccessionTest {
    private final Plant plant = new Plant();
    private final Hands hands = new Hands(plant);

    @AfterEach
    void nothing_died_in_the_background() {
        assertThat(plant.time.crashes()).isEmpty();
    }

    @Test
    void the_next_in_line_goes_on_where_the_one_before_it_ended_even_if_nothing_can_be_claimed() {
        plant.worker(hands);
        String first = plant.submit();
        String second = plant.submit();
        plant.line.fail("claim", Line.Fault.REQUEST_LOST, 100);

        hands.letGo();

        assertThat(hands.begun).extracting(Work::execution).containsExactly(first, second);
    }

    /** Where the last claim found nothing and nothing has been heard since, there is nothing to claim. */
    @Test
    void a_line_is_worked_off_without_claims() {
        plant.worker(hands);
        plant.submit();
        plant.submit();
        plant.submit();
        int claims = plant.line.calls("claim");
        plant.line.deaf(true);

        hands.letGo();
        hands.letGo();
        hands.letGo();

        assertThat(hands.begun).hasSize(3);
        assertThat(plant.line.calls("claim")).isEqualTo(claims);
        plant.line.deaf(false);
        plant.submit("news");
        assertThat(hands.begun).hasSize(4);
    }

    /**
     * The end of the first has started the second in the store, and the answer is on its way. The worker looks what
     * runs here, and sees an attempt that it does not know: not one that it lost, but one that it is about to be told of.
     * If it went after it now, and it ended before the answer arrives, the answer would start it once more.
     */
    @Test
    void what_is_seen_before_the_answer_that_brings_it_is_run_once() {
        plant.worker(hands);
        plant.submit();
        String second = plant.submit();
        CompletableFuture<Void> answer = plant.line.delay("finish");
        hands.letGo();
        assertThat(plant.phase(second)).isEqualTo(Phase.RUNNING);

        int looks = plant.line.calls("running");
        plant.advance(Duration.ofSeconds(8));
        assertThat(plant.line.calls("running")).isGreaterThan(looks + 1);
        assertThat(hands.begun).hasSize(1);
        answer.complete(null);
        plant.rest();
        assertThat(hands.begun).hasSize(2);
        hands.letGo();
        plant.advance(Duration.ofSeconds(8));

        assertThat(plant.phase(second)).isEqualTo(Phase.COMPLETED);
        assertThat(plant.execution(second).attempts()).hasSize(1);
        assertThat(hands.begun).hasSize(2);
    }

    /** While the answer is on its way the slot is not given to anybody else: the second would wait for it, holding its lock. */
    @Test
    void the_slot_is_kept_for_the_next_in_line() {
        plant.worker(hands, settings -> settings.withSlots(1));
        plant.submit();
        String second = plant.submit();
        String elsewhere = plant.submit("elsewhere");
        CompletableFuture<Void> answer = plant.line.delay("finish");
        hands.letGo();
        plant.advance(Duration.ofSeconds(8));
        assertThat(plant.phase(elsewhere)).isEqualTo(Phase.PENDING);

        answer.complete(null);
        plant.rest();

        assertThat(hands.begun).last().extracting(Work::execution).isEqualTo(second);
        assertThat(plant.phase(elsewhere)).isEqualTo(Phase.PENDING);
        hands.letGo();
        assertThat(plant.phase(elsewhere)).isEqualTo(Phase.RUNNING);
    }

    /** And it is free again when nobody is next in line, or when the answer was lost. */
    @Test
    void a_slot_that_was_kept_in_vain_is_free() {
        plant.worker(hands, settings -> settings.withSlots(1));
        plant.submit("a");
        plant.submit("b");
        plant.submit("c");
        hands.letGo();
        assertThat(hands.begun).last().extracting(Work::target).hasToString("b");
        plant.line.fail("finish", Line.Fault.REQUEST_LOST, 1);
        hands.letGo();
        plant.advance(Duration.ofSeconds(1));

        assertThat(hands.begun).last().extracting(Work::target).hasToString("c");
    }

    /**
     * The end of the first has started the second in the store, and the answer gets lost while the worker is told to
     * leave. It may not leave before it has looked: nobody would attend to the second.
     */
    @Test
    void what_a_lost_answer_has_started_is_handed_back_before_the_worker_leaves() {
        Worker worker = plant.worker(hands);
        plant.submit();
        String second = plant.submit();
        plant.line.fail("finish", Line.Fault.ANSWER_LOST, 1);
        CompletableFuture<Void> answer = plant.line.delay("finish");
        hands.letGo();
        assertThat(plant.phase(second)).isEqualTo(Phase.RUNNING);

        CompletableFuture<Void> gone = worker.drain();
        answer.complete(null);
        plant.advance(Duration.ofSeconds(1));

        assertThat(gone).isDone();
        assertThat(hands.begun).hasSize(1);
        assertThat(plant.phase(second)).isEqualTo(Phase.PENDING);
        assertThat(Objects.requireNonNull(
                                plant.execution(second).attempts().getLast().end())
                        .failure())
                .extracting(Failure::code)
                .isEqualTo(Failure.HANDED_BACK);
        assertThat(plant.lock(TARGET).isHeld()).isFalse();
    }
}

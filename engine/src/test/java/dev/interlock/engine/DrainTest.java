package dev.interlock.engine;

import static dev.interlock.engine.Plant.LEASE;
import static dev.interlock.engine.Plant.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.RetryClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class DrainTest {
    private static final Duration GRACE = WorkerSettings.DEFAULT.drainGrace();

    private final Plant plant = new Plant();
    private final Hands hands = new Hands(plant);

    @AfterEach
    void nothing_died_in_the_background() {
        assertThat(plant.time.crashes()).isEmpty();
    }

    @Test
    void a_worker_that_leaves_takes_nothing_new_and_lets_what_runs_come_to_its_end() {
        Worker worker = plant.worker(hands);
        String running = plant.submit();

        CompletableFuture<Void> gone = worker.drain();
        String waiting = plant.submit("another");
        plant.advance(GRACE.minusSeconds(1));

        assertThat(hands.interruptedAt).isEmpty();
        assertThat(gone).isNotDone();
        hands.letGo();
        assertThat(gone).isDone();
        assertThat(plant.phase(running)).isEqualTo(Phase.COMPLETED);
        assertThat(plant.phase(waiting)).isEqualTo(Phase.PENDING);
    }

    @Test
    void after_its_grace_what_runs_is_stopped_and_may_be_tried_again() {
        Worker worker = plant.worker(hands);
        String id = plant.submit();

        CompletableFuture<Void> gone = worker.drain();
        plant.advance(GRACE);

        assertThat(hands.interruptedAt).hasSize(1);
        assertThat(gone).isDone();
        assertThat(plant.phase(id)).isEqualTo(Phase.PENDING);
        assertThat(lastFailure(id))
                .isEqualTo(new Failure(
                        FailureKind.STARTED, RetryClass.TRANSIENT, Stop.DRAINED, "stopped because its worker leaves"));
        assertThat(plant.lock(TARGET).isHeld()).isFalse();
    }

    /** The claim is done in the store and its answer on its way when the worker is told to leave. */
    @Test
    void what_was_claimed_but_not_begun_is_handed_back() {
        Worker worker = plant.worker(hands);
        CompletableFuture<Void> answer = plant.line.delay("claim");
        String id = plant.submit();
        assertThat(plant.phase(id)).isEqualTo(Phase.RUNNING);

        CompletableFuture<Void> gone = worker.drain();
        plant.rest();
        assertThat(gone).isNotDone();
        answer.complete(null);
        plant.rest();

        assertThat(gone).isDone();
        assertThat(hands.begun).isEmpty();
        assertThat(plant.phase(id)).isEqualTo(Phase.PENDING);
        assertThat(lastFailure(id).code()).isEqualTo(Failure.HANDED_BACK);
    }

    @Test
    void what_was_taken_in_advance_is_handed_back() {
        Worker worker = quickWorker();
        List<String> submitted = submitLong(5);
        assertThat(hands.begun).hasSize(1);
        assertThat(phases(submitted)).containsOnly(Phase.RUNNING);

        CompletableFuture<Void> gone = worker.drain();
        plant.rest();

        assertThat(phases(submitted))
                .containsExactly(Phase.RUNNING, Phase.PENDING, Phase.PENDING, Phase.PENDING, Phase.PENDING);
        hands.letGo();
        assertThat(gone).isDone();
        assertThat(hands.begun).hasSize(1);
    }

    @Test
    void what_was_taken_in_advance_does_not_wait_behind_work_that_turns_out_long() {
        quickWorker();
        List<String> submitted = submitLong(5);

        plant.advance(Slots.PATIENCE.multipliedBy(2));

        assertThat(phases(submitted))
                .containsExactly(Phase.RUNNING, Phase.PENDING, Phase.PENDING, Phase.PENDING, Phase.PENDING);
        plant.advance(Duration.ofMinutes(1));
        assertThat(phases(submitted)).as("nothing more is held back").containsOnlyOnce(Phase.RUNNING);
        assertThat(plant.execution(submitted.get(1)).attempts())
                .as("and it was not taken in advance again")
                .hasSize(1);
    }

    @Test
    void a_cancelled_one_that_was_taken_in_advance_never_begins() {
        quickWorker();
        List<String> submitted = submitLong(2);

        plant.executions.cancel(submitted.get(1), "carol", "not needed");
        plant.advance(Duration.ofMillis(200));
        plant.advance(Duration.ofSeconds(1));

        assertThat(plant.phase(submitted.get(1))).isEqualTo(Phase.CANCELLED);
        assertThat(hands.begun).hasSize(1);
    }

    @Test
    void somebody_else_can_ask_a_worker_to_leave() {
        plant.worker(hands);
        String id = plant.workers.workers().getFirst().id();

        assertThat(plant.workers.drain(id, "carol")).isTrue();
        plant.advance(WorkerSettings.DEFAULT.poll());

        assertThat(plant.workers.workers()).isEmpty();
        int asked = plant.line.calls();
        String waiting = plant.submit();
        plant.advance(LEASE);
        assertThat(plant.phase(waiting)).isEqualTo(Phase.PENDING);
        assertThat(plant.line.calls()).as("who has left asks for nothing").isEqualTo(asked);
    }

    @Test
    void a_worker_can_leave_while_the_store_is_away() {
        Worker worker = plant.worker(hands);
        plant.submit();
        plant.line.cut();

        CompletableFuture<Void> gone = worker.drain();
        hands.letGo();
        plant.advance(LEASE.multipliedBy(2));

        assertThat(gone).isDone();
    }

    /** One slot and four in advance, for executions that have been quick so far. */
    private Worker quickWorker() {
        Worker worker = plant.worker(
                work -> {
                    if (work.target().value().startsWith("long")) {
                        hands.run(work);
                    }
                },
                settings -> settings.withSlots(1).withPrefetch(4));
        submit("quick", 100);
        return worker;
    }

    private List<String> submitLong(int number) {
        return submit("long", number);
    }

    private List<String> submit(String name, int number) {
        List<Request> requests = IntStream.range(0, number)
                .mapToObj(each -> Request.of("deploy", name + "-" + each, Map.of(), "bob@example.com"))
                .toList();
        List<String> ids = plant.executions.submit(requests).stream()
                .map(answer -> answer.execution().id())
                .toList();
        plant.rest();
        return ids;
    }

    private List<Phase> phases(List<String> ids) {
        return ids.stream().map(plant::phase).toList();
    }

    private Failure lastFailure(String id) {
        Execution execution = plant.execution(id);
        Attempt.End end = Objects.requireNonNull(execution.attempts().getLast().end());
        return Objects.requireNonNull(end.failure());
    }
}

package dev.interlock.engine;

import static dev.interlock.engine.Plant.LEASE;
import static dev.interlock.engine.Plant.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Force;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.Finish;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class WorkerTest {
    private final Plant plant = new Plant();
    private final Hands hands = new Hands(plant);

    @AfterEach
    void nothing_died_in_the_background() {
        assertThat(plant.time.crashes()).isEmpty();
    }

    @Test
    void an_execution_is_run_under_the_lock_of_its_target_and_gives_it_back() {
        plant.worker(hands);
        String id = plant.submit();

        Work work = hands.begun.getFirst();
        Lock held = plant.lock(TARGET);
        assertThat(work.execution()).isEqualTo(id);
        assertThat(work.parameters()).containsEntry("version", "2");
        assertThat(held.isHeld()).isTrue();
        assertThat(held.token()).isEqualTo(work.token());
        assertThat(held.holder().execution()).isEqualTo(id);

        hands.letGo();

        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
        assertThat(plant.lock(TARGET).status()).isEqualTo(Lock.Status.RELEASED);
    }

    @Test
    void executions_of_one_target_run_one_after_the_other_in_their_order() {
        plant.worker(hands);
        List<String> ids = List.of(plant.submit(), plant.submit(), plant.submit());

        for (int turn = 0; turn < ids.size(); turn++) {
            assertThat(hands.begun).hasSize(turn + 1);
            assertThat(hands.begun.get(turn).execution()).isEqualTo(ids.get(turn));
            hands.letGo();
        }
        assertThat(ids).allSatisfy(id -> assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED));
    }

    /** On a line over which no hint of the store comes, and without a look in between. */
    @Test
    void a_transport_wakes_a_worker_at_once() {
        List<Runnable> transport = new ArrayList<>();
        Workplace here = plant.workplace("alice");
        ExecutionStore silent = (ExecutionStore) Proxy.newProxyInstance(
                WorkerTest.class.getClassLoader(),
                new Class<?>[] {ExecutionStore.class},
                (proxy, verb, values) ->
                        verb.getName().equals("onWork") ? null : verb.invoke(here.executions(), values));
        Workplace deaf = new Workplace(
                silent, here.catalogue(), here.workers(), here.logs(), here.locks(), here.identity(), here.ports());
        Worker.at(deaf).handling("deploy", hands).wokenBy(transport::add).start();
        plant.rest();
        plant.submit();
        assertThat(hands.begun).isEmpty();

        transport.forEach(Runnable::run);
        plant.rest();

        assertThat(hands.begun).hasSize(1);
    }

    @Test
    void no_more_run_than_there_are_slots() {
        plant.worker(hands, settings -> settings.withSlots(2));
        for (int target = 0; target < 5; target++) {
            plant.submit("t-" + target);
        }

        assertThat(hands.begun).hasSize(2);
        hands.letGo();
        assertThat(hands.begun).hasSize(3);
    }

    @Test
    void a_lock_is_kept_for_as_long_as_its_work_takes() {
        plant.worker(hands);
        String id = plant.submit();

        plant.advance(LEASE.multipliedBy(10));

        assertThat(plant.lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
        hands.letGo();
        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
    }

    /** The holder counts from before its last confirmed request, so it stops while the store still counts on. */
    @Test
    void a_lost_lease_stops_the_handler_before_the_lease_ends_and_no_end_is_told() {
        plant.worker(hands);
        String id = plant.submit();
        List<String> lost = new CopyOnWriteArrayList<>();
        hands.begun.getFirst().onLost(why -> lost.add(why.sentence()));
        Duration cutAt = plant.time.elapsed();

        plant.line.cut();
        plant.advance(LEASE.multipliedBy(2));
        plant.line.heal();
        plant.advance(LEASE);

        assertThat(hands.interruptedAt).hasSize(1);
        assertThat(hands.interruptedAt.getFirst()).isLessThan(cutAt.plus(LEASE));
        assertThat(lost).containsExactly("the store did not confirm a renewal in time");
        assertThat(plant.line.calls("finish")).isZero();
        assertThat(plant.phase(id)).isEqualTo(Phase.RUNNING);
    }

    @Test
    void while_the_store_is_away_nothing_new_starts_and_what_runs_goes_on() {
        plant.worker(hands);
        String running = plant.submit();
        plant.line.cut();
        String waiting = plant.submit("another");

        plant.advance(Duration.ofSeconds(15));

        assertThat(hands.begun).hasSize(1);
        assertThat(hands.interruptedAt).isEmpty();
        assertThat(plant.phase(waiting)).isEqualTo(Phase.PENDING);

        plant.line.heal();
        plant.advance(Duration.ofSeconds(6));

        assertThat(hands.begun).hasSize(2);
        hands.letGo();
        assertThat(plant.phase(running)).isEqualTo(Phase.COMPLETED);
    }

    /**
     * The finish of the first is done in the store, its answer gets lost; the worker says the same again, and the store
     * knows it. The second may start only once.
     */
    @Test
    void an_end_whose_answer_was_lost_is_told_again() {
        plant.worker(hands);
        String first = plant.submit();
        String second = plant.submit();
        plant.line.fail("finish", Line.Fault.ANSWER_LOST, 3);

        hands.letGo();
        plant.advance(Duration.ofSeconds(6));

        assertThat(plant.line.calls("finish")).isEqualTo(4);
        assertThat(plant.phase(first)).isEqualTo(Phase.COMPLETED);
        assertThat(hands.begun).extracting(Work::execution).containsExactly(first, second);
    }

    @Test
    void an_end_that_nobody_takes_is_given_up_with_its_lease() {
        plant.worker(hands);
        String id = plant.submit();
        plant.line.cut();
        hands.letGo();

        plant.advance(LEASE.multipliedBy(2));
        int said = plant.line.calls("finish");
        plant.line.heal();
        plant.advance(LEASE);

        assertThat(plant.line.calls("finish")).isEqualTo(said);
        assertThat(plant.phase(id)).isEqualTo(Phase.RUNNING);
    }

    /** One that the store chokes on must not keep the others from being told. */
    @Test
    void one_bad_end_does_not_hold_back_the_others() {
        plant.worker(hands);
        String bad = plant.submit("bad");
        String good = plant.submit("good");
        plant.line.fail("finish", Line.Fault.BUG, 2);

        hands.letGo();
        hands.letGo();
        plant.advance(Duration.ofSeconds(6));

        assertThat(plant.phase(good)).isEqualTo(Phase.COMPLETED);
        assertThat(plant.phase(bad)).isEqualTo(Phase.COMPLETED);
    }

    /**
     * The claim is done in the store, its answer gets lost: nobody attends to the attempt, and renewals of the lease
     * would keep it alive for ever. The worker asks what runs here, and finds it.
     */
    @Test
    void what_a_claim_took_whose_answer_was_lost_is_found_and_run_once() {
        plant.worker(hands);
        plant.line.fail("claim", Line.Fault.ANSWER_LOST, 1);

        String id = plant.submit();
        plant.advance(Duration.ofSeconds(1));

        assertThat(hands.begun).extracting(Work::execution).containsExactly(id);
        assertThat(hands.begun.getFirst().attempt()).isEqualTo(1);
        hands.letGo();
        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
    }

    /**
     * The store answers what runs here; before that answer arrives, the work ends and the store takes note. Then the
     * answer arrives: it names an attempt that this worker does not have any more, and must not run again.
     */
    @Test
    void what_ended_while_the_store_was_asked_is_not_run_again() {
        plant.worker(hands);
        String id = plant.submit();
        CompletableFuture<Void> gate = plant.line.delay("running");
        plant.advance(Duration.ofSeconds(6));

        hands.letGo();
        assertThat(plant.phase(id)).isEqualTo(Phase.COMPLETED);
        gate.complete(null);
        plant.advance(Duration.ofSeconds(10));

        assertThat(hands.begun).hasSize(1);
    }

    @Test
    void a_cancelled_one_has_stopped_before_its_lock_moves_on() {
        hands.ignoringInterrupts();
        plant.worker(hands);
        String first = plant.submit();
        String second = plant.submit();

        assertThat(plant.executions.cancel(first, "carol", "wrong version")).isInstanceOf(Cancellation.Stopping.class);
        plant.advance(Duration.ofSeconds(2));

        assertThat(hands.interruptedAt).hasSize(1);
        assertThat(plant.lock(TARGET).holder().execution()).isEqualTo(first);
        assertThat(hands.begun).hasSize(1);

        hands.giveUp();

        assertThat(plant.execution(first).ending()).isInstanceOf(Ending.Cancelled.class);
        assertThat(hands.begun).extracting(Work::execution).containsExactly(first, second);
    }

    @Test
    void work_that_ignores_interruption_keeps_its_lock_and_says_so() {
        hands.ignoringInterrupts();
        plant.worker(hands);
        String id = plant.submit();
        plant.executions.cancel(id, "carol", "wrong version");

        plant.advance(LEASE.multipliedBy(4));

        assertThat(plant.lock(TARGET).status()).isEqualTo(Lock.Status.ACTIVE);
        assertThat(plant.standing(id).progress()).isEqualTo("does not stop (cancelled by carol)");
        hands.giveUp();
        assertThat(plant.phase(id)).isEqualTo(Phase.CANCELLED);
    }

    @Test
    void at_its_timeout_work_is_stopped_and_may_be_tried_again() {
        plant.declare(Workflow.plain("deploy").withPolicy(Policy.PLAIN.withTimeout(Duration.ofMinutes(2))));
        plant.worker(hands);
        String id = plant.submit();

        plant.advance(Duration.ofMinutes(2).minusSeconds(1));
        assertThat(hands.interruptedAt).isEmpty();
        plant.advance(Duration.ofSeconds(1));

        assertThat(hands.interruptedAt).hasSize(1);
        Failure expected = new Failure(
                FailureKind.STARTED, RetryClass.TRANSIENT, Failure.TIMEOUT, "stopped after its timeout of 2m");
        assertThat(plant.execution(id).attempts())
                .extracting(Attempt::end)
                .extracting(Attempt.End::failure)
                .containsExactly(expected);
        assertThat(plant.phase(id)).isEqualTo(Phase.PENDING);
    }

    @Test
    void whoever_forces_the_lock_gets_it_when_the_work_has_stopped() {
        plant.worker(hands);
        String id = plant.submit();
        long token = hands.begun.getFirst().token();

        plant.locks.force(new Force(LockName.of(TARGET), token, "carol", "incident", false));
        plant.advance(Duration.ofSeconds(1));

        assertThat(hands.interruptedAt).hasSize(1);
        assertThat(plant.lock(TARGET).isHeld()).isFalse();
        assertThat(((Ending.Failed) plant.execution(id).ending()).failure().code())
                .isEqualTo(Stop.FORCED);
    }

    @Test
    void an_exception_that_says_so_is_tried_again_and_any_other_is_not() {
        AtomicInteger calls = new AtomicInteger();
        plant.worker(work -> {
            if (calls.incrementAndGet() == 1) {
                throw new Transient("THROTTLED", "slow down");
            }
            throw new IllegalStateException("broken");
        });
        String id = plant.submit();
        assertThat(plant.phase(id)).isEqualTo(Phase.PENDING);

        plant.advance(Duration.ofMinutes(6));

        Failure expected = new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "IllegalStateException", "broken");
        assertThat(((Ending.Failed) plant.execution(id).ending()).failure()).isEqualTo(expected);
        assertThat(calls).hasValue(2);
    }

    @Test
    void what_the_store_does_not_know_to_run_is_stopped() {
        plant.worker(hands);
        String id = plant.submit();
        Work work = hands.begun.getFirst();
        // Somebody else ended the attempt, as a janitor does, while the lease lives on.
        Finish.Outcome over = new Finish.Outcome.Completed(0);
        plant.executions.finish(List.of(new Finish(plant.execution(id), work.token(), over)));

        plant.advance(Duration.ofSeconds(6));

        assertThat(hands.interruptedAt).hasSize(1);
    }

    @Test
    void an_idle_worker_asks_at_most_twice_a_second() {
        plant.worker(hands);
        plant.advance(Duration.ofMinutes(1));
        int before = plant.line.calls();

        plant.advance(Duration.ofMinutes(10));

        assertThat(plant.line.calls() - before).isLessThanOrEqualTo(2 * 600).isPositive();
    }

    /** They share the process, its identity and its line; what one runs is nothing that the other has lost. */
    @Test
    void two_workers_of_one_process_do_not_take_over_each_others_work() {
        plant.worker(hands);
        plant.worker(hands);
        plant.submit();

        plant.advance(Duration.ofMinutes(1));

        assertThat(hands.begun).hasSize(1);
        assertThat(hands.interruptedAt).isEmpty();
        assertThat(plant.workers.workers()).hasSize(2);
    }

    /** The claim comes back after the process was stopped for longer than its lease may be trusted. */
    @Test
    void nothing_begins_when_the_lock_cannot_be_trusted_any_more() {
        plant.worker(hands);
        CompletableFuture<Void> answer = plant.line.delay("claim");
        String id = plant.submit();

        plant.time.freeze(LEASE.multipliedBy(2));
        answer.complete(null);
        plant.rest();

        assertThat(hands.begun).extracting(Work::attempt).containsExactly(2);
        Attempt first = plant.execution(id).attempts().getFirst();
        assertThat(first.end().failure().code()).isEqualTo(Failure.HANDED_BACK);
    }

    @Test
    void a_worker_is_seen_while_it_is_there() {
        Worker worker = plant.worker(hands);
        plant.submit();
        plant.advance(LEASE.multipliedBy(3));

        assertThat(plant.workers.workers()).singleElement().satisfies(seen -> {
            assertThat(seen.slots()).isEqualTo(16);
            assertThat(seen.running()).isEqualTo(1);
        });

        CompletableFuture<Void> gone = worker.drain();
        hands.letGo();
        assertThat(gone).isDone();
        assertThat(plant.workers.workers()).isEmpty();
    }
}

package dev.interlock.contract.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.Standing;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What every rule stands on: two processes at one store, its clock, its locks, and short words for what they do. */
interface Work {
    String TARGET = "production/deployment/payment-api";
    String OTHER = "production/deployment/search-api";
    String CLUSTER = "clusters/blue";
    String ALICE = "alice@example.com";
    Duration MINUTE = Duration.ofMinutes(1);

    /** One process's view of the store. */
    ExecutionStore here();

    /** Another process's view of the same store. */
    ExecutionStore there();

    /** The locks of the same store. */
    LockStore locks();

    /** The dead letters of the same store. */
    DeadLetters deadLetters();

    /** What keeps the same store in order. */
    JanitorStore janitor();

    /** The workers of the same store. */
    WorkerStore workers();

    /** The logs of the same store. */
    LogStore logs();

    /** Lets that much time pass for everything in the store. */
    void age(Duration elapsed);

    /**
     * Makes the target a resource with that lifecycle, in its initial state.
     *
     * @param timeToLive null when it may live for ever
     */
    void register(String target, String lifecycle, Map<String, String> fields, @Nullable Duration timeToLive);

    default void register(String target, String lifecycle, Map<String, String> fields) {
        register(target, lifecycle, fields, null);
    }

    Resource resource(String target);

    default Request deploy(String target) {
        return Request.of("deploy", target, Map.of("version", "1.2.3"), ALICE);
    }

    default Request request(String workflow, String target) {
        return Request.of(workflow, target, Map.of(), ALICE);
    }

    /** Submits what must be new, and gives its execution. */
    default Execution submit(Request request) {
        Submission answer = here().submit(List.of(request)).getFirst();
        assertThat(answer).isInstanceOf(Submission.New.class);
        return answer.execution();
    }

    default Runner runner(String name) {
        return Runner.named(name);
    }

    /** Claims what must be exactly one execution. */
    default Claimed claim(Runner runner) {
        List<Claimed> all = here().claim(runner.claimant(), 10).started();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    default List<Claimed> claimAll(Runner runner) {
        return here().claim(runner.claimant(), 100).started();
    }

    default Transition finish(Claimed claimed, Outcome outcome) {
        return here().finish(List.of(finishing(claimed, outcome))).getFirst();
    }

    /** Completes what must still run. */
    default Execution complete(Claimed claimed) {
        return moved(finish(claimed, new Outcome.Completed(0)));
    }

    static Finish finishing(Claimed claimed, Outcome outcome) {
        return Finish.of(claimed, outcome);
    }

    static Execution moved(Transition answer) {
        assertThat(answer).isInstanceOf(Transition.Moved.class);
        return ((Transition.Moved) answer).execution();
    }

    /** A failure after the work had begun, of that class. */
    static Outcome failed(Claimed claimed, RetryClass retryClass) {
        return new Outcome.Failed(
                1,
                new Failure(FailureKind.STARTED, retryClass, "EXIT_1", "it broke"),
                claimed.attempt().startedAt(),
                claimed.workflow().policy().retry());
    }

    /** A failure before anything ran. */
    static Outcome notStarted(Claimed claimed) {
        return new Outcome.Failed(
                null,
                new Failure(FailureKind.NOT_STARTED, RetryClass.PERMANENT, "NO_SUCH_FILE", "it is not there"),
                null,
                claimed.workflow().policy().retry());
    }

    /** How it ended, which must be like this. */
    static <E extends Ending> E ending(Class<E> how, Execution execution) {
        assertThat(execution.ending()).isInstanceOf(how);
        return how.cast(Objects.requireNonNull(execution.ending()));
    }

    default Standing standing(Execution execution) {
        return there().find(execution.id())
                .orElseThrow(() -> new AssertionError("there is no execution " + execution.id()));
    }

    default Execution now(Execution execution) {
        return standing(execution).execution();
    }

    default Lock lock(String target) {
        return locks().find(LockName.of(target)).orElseThrow(() -> new AssertionError("there is no lock " + target));
    }

    /** Somebody who wants the lock itself, as `interlock run --lock` does. */
    default Ask stranger(String target, Duration lease) {
        UUID id = UUID.randomUUID();
        String owner = "laptop:4711:" + id;
        return new Ask(
                LockName.of(target),
                new Holder("run-" + id, 1, owner, "bob@example.com"),
                new Lease(id, owner, "bob@example.com", lease));
    }
}

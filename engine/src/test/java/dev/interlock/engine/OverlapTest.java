package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.memory.Ledger;
import dev.interlock.memory.Memory;
import dev.interlock.memory.MemoryCatalogue;
import dev.interlock.memory.MemoryExecutionStore;
import dev.interlock.memory.MemoryLockStore;
import dev.interlock.memory.MemoryLogs;
import dev.interlock.memory.MemoryWorkers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two workers with real threads and clocks. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class OverlapTest {
    private static final int EXECUTIONS = 400;
    private static final int TARGETS = 20;

    private final Overlap overlap = new Overlap();

    @Test
    void two_workers_never_run_one_target_at_once_and_keep_its_order() throws InterruptedException {
        Ports ports = SystemPorts.create();
        Ledger ledger = new Ledger(new Memory(Instant::now));
        // A machine that stops for a while must not decide how this ends.
        Workflow deploy = Workflow.plain("deploy").withPolicy(Policy.PLAIN.withLease(Duration.ofHours(1)));
        new MemoryCatalogue(ledger).publish(new Catalogue(Map.of("deploy", deploy), Map.of()), "test");
        CountDownLatch left = new CountDownLatch(EXECUTIONS);
        Handler handler = work -> {
            overlap.enter(work.target().value(), work.execution());
            Thread.onSpinWait();
            overlap.leave(work.target().value(), work.execution());
            left.countDown();
        };
        Worker one = worker("one", ledger, ports, handler);
        Worker other = worker("other", ledger, ports, handler);
        new MemoryExecutionStore(ledger)
                .submit(IntStream.range(0, EXECUTIONS)
                        .mapToObj(number -> Request.of("deploy", "t-" + number % TARGETS, Map.of(), "bob"))
                        .toList());

        assertThat(left.await(100, TimeUnit.SECONDS)).isTrue();
        one.close();
        other.close();

        assertThat(overlap.violations()).isEmpty();
    }

    private static Worker worker(String name, Ledger ledger, Ports ports, Handler handler) {
        Identity identity = new Identity(name + "-host:1:abc", name);
        Workplace place = new Workplace(
                new MemoryExecutionStore(ledger),
                new MemoryCatalogue(ledger),
                new MemoryWorkers(ledger),
                new MemoryLogs(ledger),
                new MemoryLockStore(ledger.memory()),
                identity,
                ports);
        return Worker.at(place)
                .with(WorkerSettings.DEFAULT.withSlots(8))
                .handling("deploy", handler)
                .start();
    }

    /** Work on one thing that is locked under two names, as if it were not locked at all. */
    @Test
    void the_checker_notices_work_without_the_lock() {
        Plant plant = new Plant();
        Hands hands = new Hands(plant);
        plant.worker(work -> {
            overlap.enter("database", work.execution());
            hands.run(work);
        });

        plant.submit("database");
        plant.submit("database under another name");

        assertThat(overlap.violations()).containsExactly("exec-000000000002 and exec-000000000001 work on database");
    }

    @Test
    void the_checker_notices_whoever_comes_before_its_turn() {
        overlap.enter("database", "exec-2");
        overlap.leave("database", "exec-2");
        overlap.enter("database", "exec-1");

        assertThat(overlap.violations()).containsExactly("exec-1 came after exec-2 to database");
    }
}

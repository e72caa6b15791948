package dev.interlock.engine;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Identity;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Settings;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.CatalogueStore;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.Standing;
import dev.interlock.core.work.WorkerStore;
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
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One store, any number of processes with lines of their own to it, and one clock for all. */
final class Plant {
    static final Instant START = Instant.parse("2026-11-16T14:00:00Z");
    static final String TARGET = "production/deployment/payment-api";
    static final Duration LEASE = Settings.DEFAULT.lease();

    final ManualPorts time = new ManualPorts(7);
    final Memory memory = new Memory(() -> START.plus(time.elapsed()));
    final Ledger ledger = new Ledger(memory);
    final ExecutionStore executions = new MemoryExecutionStore(ledger);
    final LockStore locks = new MemoryLockStore(memory);
    final WorkerStore workers = new MemoryWorkers(ledger);
    final LogStore logs = new MemoryLogs(ledger);
    final CatalogueStore catalogue = new MemoryCatalogue(ledger);
    final Line line = new Line();

    Plant() {
        declare(Workflow.plain("deploy"));
    }

    void declare(Workflow workflow) {
        catalogue.publish(new Catalogue(Map.of(workflow.name(), workflow), Map.of()), "the test");
    }

    Workplace workplace(String name) {
        return workplace(name, line);
    }

    Workplace workplace(String name, Line of) {
        Identity identity = new Identity(name + "-host:1:abc", name + "@example.com");
        return new Workplace(
                of.to(ExecutionStore.class, executions),
                of.to(CatalogueStore.class, catalogue),
                of.to(WorkerStore.class, workers),
                of.to(LogStore.class, logs),
                of.to(LockStore.class, locks),
                identity,
                time.ports());
    }

    Worker worker(Handler handler) {
        return worker(handler, settings -> settings);
    }

    Worker worker(Handler handler, UnaryOperator<WorkerSettings> choice) {
        Worker worker = Worker.at(workplace("alice"))
                .with(choice.apply(WorkerSettings.DEFAULT.withPrefetch(0)))
                .handling("deploy", handler)
                .start();
        rest();
        return worker;
    }

    /** Lets everything happen that is due now. */
    void rest() {
        time.advance(Duration.ZERO);
    }

    void advance(Duration duration) {
        time.advance(duration);
    }

    String submit() {
        return submit(TARGET);
    }

    String submit(String target) {
        Request request = Request.of("deploy", target, Map.of("version", "2"), "bob@example.com");
        String id = executions.submit(List.of(request)).getFirst().execution().id();
        rest();
        return id;
    }

    Standing standing(String id) {
        return executions.find(id).orElseThrow();
    }

    Execution execution(String id) {
        return standing(id).execution();
    }

    Phase phase(String id) {
        return execution(id).phase();
    }

    Lock lock(String target) {
        return locks.find(LockName.of(target)).orElseThrow();
    }
}

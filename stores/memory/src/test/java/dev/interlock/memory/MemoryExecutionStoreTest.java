package dev.interlock.memory;

import dev.interlock.contract.work.ExecutionStoreContract;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.WorkerStore;
import java.time.Duration;
import java.util.Map;

class MemoryExecutionStoreTest extends ExecutionStoreContract {
    private final HandClock clock = new HandClock();
    private final Memory memory = new Memory(clock);
    private final Ledger ledger = new Ledger(memory);
    private final LockStore locks = new MemoryLockStore(memory);
    private final MemoryExecutionStore here = new MemoryExecutionStore(ledger);
    private final ExecutionStore there = new MemoryExecutionStore(ledger);
    private final MemoryWorkers workers = new MemoryWorkers(ledger);
    private final LogStore logs = new MemoryLogs(ledger);

    @Override
    protected void open(Catalogue declared) {
        new MemoryCatalogue(ledger).publish(declared, "the contract");
    }

    @Override
    protected void close() {
        locks.close();
    }

    @Override
    public ExecutionStore here() {
        return here;
    }

    @Override
    public ExecutionStore there() {
        return there;
    }

    @Override
    public LockStore locks() {
        return locks;
    }

    @Override
    public DeadLetters deadLetters() {
        return new MemoryDeadLetters(here);
    }

    @Override
    public JanitorStore janitor() {
        return new MemoryJanitor(here, workers);
    }

    @Override
    public WorkerStore workers() {
        return workers;
    }

    @Override
    public LogStore logs() {
        return logs;
    }

    @Override
    public void age(Duration elapsed) {
        clock.move(elapsed);
        memory.settle();
    }

    @Override
    public void register(String target, String lifecycle, Map<String, String> fields, Duration timeToLive) {
        new MemoryResources(ledger).register(LockName.of(target), lifecycle, fields, timeToLive, "the contract");
    }

    @Override
    public Resource resource(String target) {
        return new MemoryResources(ledger)
                .find(LockName.of(target))
                .orElseThrow()
                .resource();
    }
}

package dev.interlock.core.work;

import dev.interlock.core.LockStore;
import dev.interlock.core.janitor.JanitorStore;

/** One store that keeps everything about executions, by what is asked of it; closed as a whole. */
public record WorkStores(
        LockStore locks,
        ExecutionStore executions,
        CatalogueStore catalogue,
        ResourceStore resources,
        WorkerStore workers,
        LogStore logs,
        DeadLetters deadLetters,
        JanitorStore janitor,
        Gauges gauges,
        Outbox outbox)
        implements AutoCloseable {
    @Override
    public void close() {
        executions.close();
        locks.close();
    }
}

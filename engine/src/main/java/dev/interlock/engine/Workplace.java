package dev.interlock.engine;

import dev.interlock.core.Identity;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.core.work.CatalogueStore;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.work.ObservedExecutions;
import dev.interlock.core.work.WorkObserver;
import dev.interlock.core.work.WorkerStore;

/**
 * Where a worker works. All of it is one store, seen by one process; any number of workers may share it.
 *
 * @param identity of the process; each worker adds a part of its own
 */
public record Workplace(
        ExecutionStore executions,
        CatalogueStore catalogue,
        WorkerStore workers,
        LogStore logs,
        LockStore locks,
        Identity identity,
        Ports ports) {
    /** The owner of locks must be one worker alone, or it would take what another runs for its own. */
    Workplace forOneWorker() {
        String part = ports.randomId().toString().substring(0, 8);
        Identity own = new Identity(identity.owner() + ":" + part, identity.user());
        return new Workplace(executions, catalogue, workers, logs, locks, own, ports);
    }

    Workplace observedBy(WorkObserver observer) {
        ExecutionStore observed = new ObservedExecutions(executions, observer, ports.ticker());
        return new Workplace(observed, catalogue, workers, logs, locks, identity, ports);
    }
}

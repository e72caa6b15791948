package dev.interlock.cli;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import java.util.function.Consumer;

/** Processes that go on until they are told to end, handed in by the composition root. */
public interface Services {
    /**
     * Works until it is drained by a signal or by {@code interlock workers drain}.
     *
     * @param audit the trail of the same store, to be sealed
     * @param talk told, in sentences, what people should know
     * @return the exit code
     */
    int work(WorkStores stores, AuditTrail audit, WorkerPlan plan, Consumer<String> talk);
}

package dev.interlock.cli;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import java.util.function.Consumer;

/** What goes beyond a question to the store, handed in by the composition root. */
public interface Services {
    /**
     * Works until it is drained by a signal or by {@code interlock workers drain}.
     *
     * @param audit the trail of the same store, to be sealed
     * @param talk told, in sentences, what people should know
     * @return the exit code
     */
    int work(WorkStores stores, AuditTrail audit, WorkerPlan plan, Consumer<String> talk);

    /** Looks at a queue through which workers are woken, and at its dead letters; changes nothing. */
    void examineQueue(String address, Consumer<Finding> findings);

    /** Creates such a queue with its dead-letter queue, and says in a sentence what came of it. */
    String createQueue(String address);
}

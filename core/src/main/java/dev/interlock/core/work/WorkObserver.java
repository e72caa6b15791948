package dev.interlock.core.work;

/**
 * Is told what becomes of the executions that one process submits, runs or puts right; for counting, not for deciding.
 * It is called by the threads that do the work, so it must be short; what it throws is dropped, since it must not cost
 * anybody an execution.
 */
@FunctionalInterface
public interface WorkObserver {
    void saw(WorkEvent event);

    /** The same, with whatever it throws dropped. */
    default WorkObserver harmless() {
        return event -> {
            try {
                saw(event);
            } catch (RuntimeException e) {
                // What was observed has happened in any case.
            }
        };
    }
}

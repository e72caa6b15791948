package dev.interlock.core.work;

import dev.interlock.core.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Who works. A worker is there while its lease is. */
public interface WorkerStore {
    /**
     * A worker as it presented itself.
     *
     * @param id the owner of its locks
     */
    record Worker(
            String id,
            int slots,
            Set<String> workflows,
            String version,
            Instant since,
            boolean draining,
            int running) {}

    void present(Lease lease, int slots, Set<String> workflows, String version);

    /** Whether it was asked to drain. */
    boolean isDrained(String worker);

    void leave(String worker);

    List<Worker> workers();

    /** Asks a worker to take nothing new and to leave; false when there is no such worker. */
    boolean drain(String worker, String by);
}

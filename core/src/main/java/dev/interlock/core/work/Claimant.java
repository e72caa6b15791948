package dev.interlock.core.work;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * A worker that asks for work.
 *
 * @param leases for each duration that a workflow it offers may want, the lease under which it would hold
 * @param workflows what it can run: the name of a workflow, or lifecycle/workflow for those of a lifecycle
 */
public record Claimant(Identity identity, Map<Duration, Lease> leases, Set<String> workflows) {
    public Claimant {
        leases = Map.copyOf(leases);
        workflows = Set.copyOf(workflows);
    }

    /** How a worker names the workflow of a lifecycle. */
    public static String offer(String lifecycle, String workflow) {
        return lifecycle + "/" + workflow;
    }
}

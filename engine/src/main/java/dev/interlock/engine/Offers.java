package dev.interlock.engine;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What this worker can do: for the name of a workflow, or lifecycle/workflow, its handler. */
record Offers(Map<String, Offer> byName) {
    /** Stands where there is no handler; it is never called. */
    static final Offer NOTHING = new Offer(work -> {}, false);

    Offers {
        byName = Map.copyOf(byName);
    }

    Set<String> names() {
        return byName.keySet();
    }

    @Nullable Offer of(Claimed claimed) {
        Resource resource = claimed.resource();
        String workflow = claimed.execution().request().workflow();
        return byName.get(
                resource == null
                        ? workflow
                        : Claimant.offer(resource.lifecycle().name(), workflow));
    }

    /** The durations of the leases that these workflows want, as they are declared. */
    Set<Duration> leases(Catalogue declared) {
        Set<Duration> leases = new HashSet<>();
        for (Workflow workflow : declared.workflows().values()) {
            if (byName.containsKey(workflow.name())) {
                leases.add(workflow.policy().lease());
            }
        }
        for (Lifecycle lifecycle : declared.lifecycles().values()) {
            for (Step step : lifecycle.declaration().steps()) {
                if (byName.containsKey(
                        Claimant.offer(lifecycle.name(), step.name().text()))) {
                    leases.add(step.workflow().policy().lease());
                }
            }
        }
        return leases;
    }
}

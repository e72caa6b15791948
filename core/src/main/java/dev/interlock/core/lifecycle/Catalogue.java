package dev.interlock.core.lifecycle;

import dev.interlock.core.LockName;
import dev.interlock.core.Nearest;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is declared: workflows that any target may be asked for, and lifecycles, whose workflows are for their
 * resources alone.
 */
public record Catalogue(Map<String, Workflow> workflows, Map<String, Lifecycle> lifecycles) {
    public static final Catalogue EMPTY = new Catalogue(Map.of(), Map.of());

    public Catalogue {
        workflows = Map.copyOf(workflows);
        lifecycles = Map.copyOf(lifecycles);
    }

    /** The workflow that this name means for this target; null when it means none. */
    public @Nullable Workflow workflow(String name, @Nullable Resource resource) {
        if (resource == null) {
            return workflows.get(name);
        }
        Step step = resource.lifecycle().step(name);
        return step == null ? null : step.workflow();
    }

    /** What to say of a workflow that nobody has declared for this target. */
    public String unknown(String name, @Nullable Resource resource) {
        if (resource != null) {
            return resource.lifecycle().unknown(name);
        }
        List<String> known = workflows.keySet().stream().sorted().toList();
        return "Nobody has declared a workflow '" + name + "'" + Nearest.hint(name, known);
    }

    /**
     * What keeps a text from being the name of a declared workflow, in one sentence; null when nothing does. A slash
     * would make one name of two, since workers offer lifecycle/workflow.
     */
    public static @Nullable String faultOfWorkflow(String name) {
        String fault = LockName.faultOf("The name of a workflow", name);
        if (fault == null && name.indexOf('/') >= 0) {
            return "The name of a workflow must not contain a slash.";
        }
        return fault == null ? Request.faultOfWorkflow(name) : fault;
    }

    /** Every name that a request may carry. */
    public Collection<String> names() {
        List<String> names = new ArrayList<>(workflows.keySet());
        lifecycles
                .values()
                .forEach(lifecycle -> lifecycle
                        .declaration()
                        .steps()
                        .forEach(step -> names.add(step.name().text())));
        return names.stream().distinct().sorted().toList();
    }
}

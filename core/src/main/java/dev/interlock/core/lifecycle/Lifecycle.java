package dev.interlock.core.lifecycle;

import dev.interlock.core.Nearest;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A declaration in which nothing was found wrong: what may be done to a resource in which state. */
public record Lifecycle(Declaration declaration) {
    public Lifecycle {
        List<Finding> findings = declaration.findings();
        if (!findings.isEmpty()) {
            throw new IllegalArgumentException(findings.get(0).in("lifecycle " + declaration.name()));
        }
    }

    public String name() {
        return declaration.name().text();
    }

    public String initial() {
        return declaration.initial().text();
    }

    public @Nullable Step step(String workflow) {
        return declaration.steps().stream()
                .filter(step -> step.name().text().equals(workflow))
                .findFirst()
                .orElse(null);
    }

    /** What to say of a workflow that the lifecycle does not have. */
    public String unknown(String workflow) {
        List<String> known =
                declaration.steps().stream().map(step -> step.name().text()).toList();
        return "Lifecycle '" + name() + "' has no workflow '" + workflow + "'" + Nearest.hint(workflow, known);
    }

    /** A state in which only failures end. One in which work also succeeds or begins says nothing about a failure. */
    public boolean isFailureState(String state) {
        return !state.equals(initial())
                && declaration.steps().stream()
                        .anyMatch(workflow -> workflow.onFailure().text().equals(state))
                && declaration.steps().stream()
                        .noneMatch(workflow -> workflow.onSuccess().text().equals(state));
    }

    /** Whether the workflow may start from a failure state, which makes it a recovery from what led there. */
    public boolean recoversFrom(String state, String workflow) {
        Step recovery = step(workflow);
        return recovery != null && isFailureState(state) && recovery.startsFrom(state);
    }

    /**
     * What no other resource may have in common with this one, as long as it is in this state; null when its name is
     * free.
     */
    public @Nullable List<String> uniqueName(String state, Map<String, String> fields) {
        Unique unique = declaration.unique();
        if (unique == null
                || unique.freeIn().stream().anyMatch(free -> free.text().equals(state))) {
            return null;
        }
        List<String> name = new ArrayList<>();
        for (Word field : unique.fields()) {
            name.add(Objects.requireNonNullElse(fields.get(field.text()), ""));
        }
        return List.copyOf(name);
    }
}

package dev.interlock.core.lifecycle;

import dev.interlock.core.LockName;
import dev.interlock.core.Nearest;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a declaration for what is wrong with it. */
final class Findings {
    private final Declaration declaration;
    private final Set<String> states = new LinkedHashSet<>();
    private final List<Finding> found = new ArrayList<>();

    private Findings(Declaration declaration) {
        this.declaration = declaration;
        declaration.states().forEach(state -> states.add(state.text()));
    }

    static List<Finding> of(Declaration declaration) {
        Findings findings = new Findings(declaration);
        findings.checkNames();
        findings.checkWorkflows();
        findings.checkUnique();
        if (!findings.states.isEmpty()) {
            findings.checkReachable();
            findings.checkWaysOut();
        }
        return findings.found.stream()
                .sorted(Comparator.comparingInt(Finding::line))
                .toList();
    }

    private void checkNames() {
        checkLifecycle(declaration.name());
        declaration.states().forEach(state -> checkName("The name of a state", state));
        checkTwice("State", declaration.states());
        if (declaration.states().isEmpty()) {
            add(declaration.name(), "Lifecycle '%s' declares no states.".formatted(declaration.name()));
        }
        checkState("initial", declaration.initial());
        if (declaration.steps().isEmpty()) {
            add(declaration.name(), "Lifecycle '%s' declares no workflows.".formatted(declaration.name()));
        }
    }

    private void checkWorkflows() {
        checkTwice("Workflow", declaration.steps().stream().map(Step::name).toList());
        for (Step workflow : declaration.steps()) {
            Word name = workflow.name();
            checkWorkflow(name);
            if (workflow.from().isEmpty()) {
                add(name, "Workflow '%s' can never start: its 'from' names no state.".formatted(name));
            }
            workflow.from().forEach(state -> checkState("'from' of workflow '" + name + "'", state));
            checkTwice("In 'from' of workflow '" + name + "', state", workflow.from());
            checkState("'during' of workflow '" + name + "'", workflow.during());
            checkState("'onSuccess' of workflow '" + name + "'", workflow.onSuccess());
            checkState("'onFailure' of workflow '" + name + "'", workflow.onFailure());
        }
    }

    private void checkUnique() {
        Unique unique = declaration.unique();
        if (unique == null) {
            return;
        }
        if (unique.fields().isEmpty()) {
            found.add(new Finding(unique.line(), "The rule of unique names lists no fields."));
        }
        unique.fields().forEach(field -> checkName("A field of the unique name", field));
        checkTwice("Field", unique.fields());
        unique.freeIn().forEach(state -> checkState("the states in which a name is free", state));
        declaration.steps().forEach(workflow -> checkNameKept(workflow, unique));
    }

    /** A start can be refused when somebody else has the name by then; an end cannot. */
    private void checkNameKept(Step workflow, Unique unique) {
        Set<String> free = new LinkedHashSet<>();
        unique.freeIn().forEach(state -> free.add(meant(state)));
        if (!free.contains(meant(workflow.during()))) {
            return;
        }
        for (Word end : List.of(workflow.onSuccess(), workflow.onFailure())) {
            if (!free.contains(meant(end))) {
                add(
                        workflow.during(),
                        "Workflow '%s' gives the name back in '%s' and takes it again in '%s', when it may be somebody else's: list both in 'freeIn', or none."
                                .formatted(workflow.name(), meant(workflow.during()), meant(end)));
            }
        }
    }

    private void checkReachable() {
        Set<String> reached = new LinkedHashSet<>();
        Deque<String> ahead = new ArrayDeque<>(List.of(meant(declaration.initial())));
        while (!ahead.isEmpty()) {
            String state = ahead.pop();
            if (reached.add(state)) {
                declaration.steps().stream()
                        .filter(workflow -> workflow.from().stream()
                                .anyMatch(word -> meant(word).equals(state)))
                        .flatMap(workflow ->
                                List.of(workflow.during(), workflow.onSuccess(), workflow.onFailure()).stream())
                        .map(this::meant)
                        .forEach(ahead::add);
            }
        }
        for (Word state : declaration.states()) {
            if (!reached.contains(state.text())) {
                add(
                        state,
                        "State '%s' can never be reached from '%s': no workflow that can start leads to it."
                                .formatted(state, meant(declaration.initial())));
            }
        }
    }

    /**
     * Whoever loses its runner in the middle ends in the failure state. If nothing can start from there, or if the end
     * of a workflow looks like the middle of one, the resource is stuck.
     */
    private void checkWaysOut() {
        for (Step workflow : declaration.steps()) {
            if (!isLeft(workflow.onFailure())) {
                add(
                        workflow.during(),
                        "There is no way out of '%s' when workflow '%s' fails: it leads to '%s', from which no workflow starts."
                                .formatted(workflow.during(), workflow.name(), meant(workflow.onFailure())));
            }
            boolean endsInTheMiddle = declaration.steps().stream()
                    .anyMatch(other -> meant(other.during()).equals(meant(workflow.onSuccess())));
            if (endsInTheMiddle && !isLeft(workflow.onSuccess())) {
                add(
                        workflow.onSuccess(),
                        "There is no way out of '%s' when workflow '%s' succeeds: it is a state of work in progress, and no workflow starts from it."
                                .formatted(workflow.onSuccess(), workflow.name()));
            }
        }
    }

    private boolean isLeft(Word state) {
        return declaration.steps().stream()
                .flatMap(workflow -> workflow.from().stream())
                .anyMatch(from -> meant(from).equals(meant(state)));
    }

    /** A misspelt state stands for its nearest, so that one slip is found once and not again as unreachable states. */
    private String meant(Word state) {
        String nearest = states.contains(state.text()) ? null : Nearest.to(state.text(), states);
        return nearest == null ? state.text() : nearest;
    }

    private void checkState(String where, Word state) {
        if (!states.contains(state.text())) {
            add(state, "Unknown state '%s' in %s%s".formatted(state, where, Nearest.hint(state.text(), states)));
        }
    }

    private void checkName(String what, Word word) {
        String fault = LockName.faultOf(what, word.text());
        if (fault != null) {
            found.add(new Finding(word.line(), fault));
        }
    }

    /** A slash stands between a lifecycle and its workflow. */
    private void checkLifecycle(Word name) {
        checkName("The name of a lifecycle", name);
        if (name.text().indexOf('/') >= 0) {
            add(name, "The name of a lifecycle must not contain a slash.");
        }
    }

    private void checkWorkflow(Word name) {
        String fault = Catalogue.faultOfWorkflow(name.text());
        if (fault != null) {
            add(name, fault);
        }
    }

    private void checkTwice(String what, List<Word> words) {
        Map<String, Word> first = new HashMap<>();
        for (Word word : words) {
            Word before = first.putIfAbsent(word.text(), word);
            if (before != null) {
                add(word, "%s '%s' is named twice, first on line %d.".formatted(what, word, before.line()));
            }
        }
    }

    private void add(Word where, String sentence) {
        found.add(new Finding(where.line(), sentence));
    }
}

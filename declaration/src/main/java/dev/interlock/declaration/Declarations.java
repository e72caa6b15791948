package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.declaration.DeclaredFile.Named;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads files of declarations as one whole: each name is declared once in all of them. */
public final class Declarations {
    private record Place(Path file, int line) {}

    private final Map<String, Place> declared = new HashMap<>();
    private final List<DeclaredFile> files = new ArrayList<>();

    private Declarations() {}

    public static Reading read(List<Path> paths) {
        Declarations all = new Declarations();
        paths.forEach(path -> all.add(DeclaredFile.read(path)));
        List<String> findings =
                all.files.stream().flatMap(file -> file.findings().stream()).toList();
        return findings.isEmpty()
                ? new Reading.Declared(all.catalogue(false), all.catalogue(true))
                : new Reading.Malformed(findings);
    }

    private void add(DeclaredFile file) {
        files.add(file);
        file.workflows.forEach(named -> checkOnce("Workflow", named.name(), file));
        file.lifecycles.forEach(lifecycle -> checkOnce("Lifecycle", lifecycle.name(), file));
    }

    private void checkOnce(String what, Word name, DeclaredFile file) {
        Place first = declared.putIfAbsent(what + " " + name, new Place(file.path, name.line()));
        if (first != null) {
            file.add(
                    name.line(),
                    "%s '%s' is declared twice, first in %s:%d.".formatted(what, name, first.file, first.line));
        }
    }

    private Catalogue catalogue(boolean here) {
        Map<String, Workflow> workflows = new HashMap<>();
        Map<String, Lifecycle> lifecycles = new HashMap<>();
        for (DeclaredFile file : files) {
            for (Named named : file.workflows) {
                workflows.put(named.name().text(), here ? found(named.workflow(), file.path) : named.workflow());
            }
            for (Declaration declaration : file.lifecycles) {
                lifecycles.put(
                        declaration.name().text(), new Lifecycle(here ? found(declaration, file.path) : declaration));
            }
        }
        return new Catalogue(workflows, lifecycles);
    }

    private static Declaration found(Declaration lifecycle, Path file) {
        List<Step> steps = lifecycle.steps().stream()
                .map(step -> new Step(
                        step.name(),
                        step.from(),
                        step.during(),
                        step.onSuccess(),
                        step.onFailure(),
                        found(step.workflow(), file)))
                .toList();
        return new Declaration(lifecycle.name(), lifecycle.states(), lifecycle.initial(), steps, lifecycle.unique());
    }

    /** A program with a slash in its name lies beside the file; one without is looked for as shells do. */
    private static Workflow found(Workflow workflow, Path file) {
        if (workflow.command().isEmpty() || workflow.command().getFirst().indexOf('/') < 0) {
            return workflow;
        }
        List<String> command = new ArrayList<>(workflow.command());
        Path program = file.toAbsolutePath().resolveSibling(command.getFirst());
        command.set(0, program.normalize().toString());
        return workflow.withCommand(command);
    }
}

package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Finding;
import dev.interlock.declaration.Piece.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads one lifecycle. What it means is checked only when all of its words are there: one slip is told once. */
final class Lifecycles {
    private static final List<String> KEYS = List.of("states", "initial", "unique", "workflows");
    private static final List<String> UNIQUE = List.of("fields", "freeIn");
    private static final List<String> STEP = stepKeys();

    private final Word name;
    private final Form form;
    private final Consumer<Finding> findings;
    private boolean complete = true;

    private Lifecycles(Word name, Piece piece, Consumer<Finding> findings) {
        this.name = name;
        this.form = Form.of("lifecycle '" + name + "'", name.line(), piece, KEYS, findings);
        this.findings = findings;
    }

    private static List<String> stepKeys() {
        List<String> keys = new ArrayList<>(List.of("from", "during", "onSuccess", "onFailure"));
        keys.addAll(Workflows.KEYS);
        return List.copyOf(keys);
    }

    /** Null when something is missing or wrong. */
    static @Nullable Declaration read(Word name, Piece piece, Consumer<Finding> findings) {
        return new Lifecycles(name, piece, findings).read();
    }

    private @Nullable Declaration read() {
        List<Word> states = needed(form.words("states"), List.of());
        Word initial = needed(form.word("initial"), name);
        Unique unique = unique();
        Piece workflows = form.required("workflows", new Piece.Fields(List.of(), name.line()));
        List<Step> steps = new ArrayList<>();
        for (Field field : Form.fields("'workflows' of lifecycle '" + name + "'", workflows, findings)) {
            steps.add(step(new Word(field.key().value(), field.key().line()), field.value()));
        }
        if (!complete || !form.has("workflows")) {
            return null;
        }
        Declaration declaration = new Declaration(name, states, initial, steps, unique);
        List<Finding> wrong = declaration.findings();
        wrong.forEach(findings);
        return wrong.isEmpty() ? declaration : null;
    }

    private Step step(Word workflow, Piece piece) {
        Form given = Form.of("workflow '" + workflow + "'", workflow.line(), piece, STEP, findings);
        return new Step(
                workflow,
                needed(given.words("from"), List.of()),
                needed(given.word("during"), workflow),
                needed(given.word("onSuccess"), workflow),
                needed(given.word("onFailure"), workflow),
                Workflows.read(workflow.text(), given));
    }

    private @Nullable Unique unique() {
        Piece piece = form.piece("unique");
        if (piece == null) {
            return null;
        }
        Form given = form.form("unique", piece, UNIQUE);
        List<Word> fields = needed(given.words("fields"), List.of());
        List<Word> freeIn = given.has("freeIn") ? needed(given.words("freeIn"), List.of()) : List.<Word>of();
        return new Unique(fields, freeIn, piece.line());
    }

    private <T> T needed(@Nullable T given, T otherwise) {
        complete &= given != null;
        return given == null ? otherwise : given;
    }
}

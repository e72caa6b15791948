package dev.interlock.core.lifecycle;

import dev.interlock.core.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lifecycle as somebody wrote it, right or wrong. Every word knows the line it stands on, so that whoever reads the
 * file can be told where it is wrong.
 *
 * @param unique null when resources need not differ
 */
public record Declaration(
        Word name,
        List<Word> states,
        Word initial,
        List<Step> steps,
        @Nullable Unique unique) {

    /**
     * A word as it was written.
     *
     * @param line from 1; 0 when it was not written in a file
     */
    public record Word(String text, int line) {
        /** One that was not written in a file. */
        public static Word of(String text) {
            return new Word(text, 0);
        }

        Word unwritten() {
            return of(text);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * One workflow of the lifecycle, and what it does to the state of the resource.
     *
     * @param from the states in which it may start
     * @param during the state while it runs
     */
    public record Step(Word name, List<Word> from, Word during, Word onSuccess, Word onFailure, Workflow workflow) {
        public Step {
            from = List.copyOf(from);
        }

        Step withoutLines() {
            return new Step(
                    name.unwritten(),
                    unwritten(from),
                    during.unwritten(),
                    onSuccess.unwritten(),
                    onFailure.unwritten(),
                    workflow);
        }

        boolean startsFrom(String state) {
            return from.stream().anyMatch(word -> word.text().equals(state));
        }
    }

    /**
     * No two resources may have the same values in these fields, except in the states in which the name is free.
     *
     * @param line where the rule begins
     */
    public record Unique(List<Word> fields, List<Word> freeIn, int line) {
        public Unique {
            fields = List.copyOf(fields);
            freeIn = List.copyOf(freeIn);
        }
    }

    public Declaration {
        states = List.copyOf(states);
        steps = List.copyOf(steps);
    }

    /** What it says, wherever it stands: two declarations that say the same are equal then. */
    public Declaration withoutLines() {
        return new Declaration(
                name.unwritten(),
                unwritten(states),
                initial.unwritten(),
                steps.stream().map(Step::withoutLines).toList(),
                unique == null ? null : new Unique(unwritten(unique.fields), unwritten(unique.freeIn), 0));
    }

    private static List<Word> unwritten(List<Word> words) {
        return words.stream().map(Word::unwritten).toList();
    }

    /** Everything that is wrong with it, in the order of its lines. */
    public List<Finding> findings() {
        return Findings.of(this);
    }
}

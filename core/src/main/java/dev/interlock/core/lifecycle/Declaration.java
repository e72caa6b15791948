package dev.interlock.core.lifecycle;

import dev.interlock.core.execution.Retry;
import java.time.Duration;
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
        List<Workflow> workflows,
        @Nullable Unique unique) {

    /**
     * A word as it was written.
     *
     * @param line from 1; 0 when it was not written in a file
     */
    public record Word(String text, int line) {
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * One workflow of the lifecycle.
     *
     * @param from the states in which it may start
     * @param during the state while it runs
     * @param command what a worker runs; empty when a handler does the work
     * @param timeout null when it may take any time
     */
    public record Workflow(
            Word name,
            List<Word> from,
            Word during,
            Word onSuccess,
            Word onFailure,
            List<String> command,
            Retry retry,
            @Nullable Duration timeout) {
        public Workflow {
            from = List.copyOf(from);
            command = List.copyOf(command);
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
        workflows = List.copyOf(workflows);
    }

    /** Everything that is wrong with it, in the order of its lines. */
    public List<Finding> findings() {
        return Findings.of(this);
    }
}

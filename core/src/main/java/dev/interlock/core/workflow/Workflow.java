package dev.interlock.core.workflow;

import java.util.List;
import java.util.Set;

/**
 * A kind of work, as its owner declared it.
 *
 * @param command what a worker runs; empty when a handler does the work
 * @param transientExits the exit codes of the command after which another attempt may help
 */
public record Workflow(String name, List<String> command, Set<Integer> transientExits, Policy policy) {
    /** What sysexits calls a temporary failure. */
    public static final Set<Integer> TEMPORARY = Set.of(75);

    public Workflow {
        command = List.copyOf(command);
        transientExits = Set.copyOf(transientExits);
    }

    /** Done by a handler, under the plain policy. */
    public static Workflow plain(String name) {
        return new Workflow(name, List.of(), TEMPORARY, Policy.PLAIN);
    }

    public Workflow withPolicy(Policy value) {
        return new Workflow(name, command, transientExits, value);
    }

    public Workflow withCommand(List<String> words) {
        return new Workflow(name, words, transientExits, policy);
    }
}

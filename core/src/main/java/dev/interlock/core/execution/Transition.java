package dev.interlock.core.execution;

/** The answer to a verb that moves an execution on. Refused ones change nothing; they are counted and audited. */
public sealed interface Transition {
    record Moved(Execution execution) implements Transition {}

    /** The table of phases has no such step. */
    record Illegal(Phase from, Phase to) implements Transition {}

    /**
     * The step exists, but not for whoever holds this token: another attempt has followed, or none runs.
     *
     * @param current the token that would have been right; 0 when no attempt runs
     */
    record Stale(long token, long current) implements Transition {}

    default String sentence() {
        return switch (this) {
            case Moved(Execution execution) ->
                "Execution " + execution.id() + " is " + execution.phase().word() + ".";
            case Illegal(Phase from, Phase to) ->
                "Refused: an execution that is " + from.word() + " cannot become " + to.word() + ".";
            case Stale(long token, long current) ->
                current == 0
                        ? "Refused: token " + token + " is stale; no attempt runs."
                        : "Refused: token " + token + " is stale; the attempt that runs has token " + current + ".";
        };
    }
}

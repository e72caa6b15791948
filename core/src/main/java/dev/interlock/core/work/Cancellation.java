package dev.interlock.core.work;

import dev.interlock.core.execution.Execution;

/** The answer to whoever cancels. */
public sealed interface Cancellation {
    /** It was waiting, and is over. */
    record Cancelled(Execution execution) implements Cancellation {}

    /** It runs, and its runner is told to stop; it is over when that is confirmed. */
    record Stopping(Execution execution) implements Cancellation {}

    /** It was over before. */
    record AlreadyEnded(Execution execution) implements Cancellation {}

    record Unknown(String execution) implements Cancellation {}

    default String sentence() {
        return switch (this) {
            case Cancelled(Execution execution) -> "Cancelled execution " + execution.id() + ".";
            case Stopping(Execution execution) ->
                "Execution " + execution.id() + " is being stopped; it ends when its worker has confirmed that.";
            case AlreadyEnded(Execution execution) ->
                "Refused: execution " + execution.id() + " is already "
                        + execution.phase().word() + ".";
            case Unknown(String id) -> "There is no execution '" + id + "'. See: interlock executions list";
        };
    }
}

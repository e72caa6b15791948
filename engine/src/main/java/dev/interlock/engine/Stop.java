package dev.interlock.engine;

import dev.interlock.core.Loss;

/** Why an attempt is to stop. */
sealed interface Stop {
    /** What becomes of its failure, for programs. */
    String DRAINED = "DRAINED";

    String FORCED = "FORCED";

    /** Somebody has cancelled the execution. */
    record Cancelled(String by) implements Stop {}

    /** It has reached the timeout of its workflow. */
    record TimedOut(String after) implements Stop {}

    /** Its worker leaves. */
    record Drained() implements Stop {}

    /** Its lock is lost. */
    record Lost(Loss why) implements Stop {}

    default String sentence() {
        return switch (this) {
            case Cancelled(String by) -> "cancelled by " + by;
            case TimedOut(String after) -> "stopped after its timeout of " + after;
            case Drained drained -> "stopped because its worker leaves";
            case Lost(Loss why) -> "stopped because its lock was lost: " + why.sentence();
        };
    }
}

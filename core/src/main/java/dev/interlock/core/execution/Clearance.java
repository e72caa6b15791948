package dev.interlock.core.execution;

import dev.interlock.core.Text;
import java.time.Instant;

/** A person has looked at what one failed execution left behind and takes its block away: for that one, once. */
public record Clearance(String by, String reason, Instant at) {
    private static final int MAX_BY = 256;
    private static final int MAX_REASON = 1000;

    public Clearance {
        if (by.isBlank() || reason.isBlank()) {
            throw new IllegalArgumentException("Clearing a failure needs a reason and the name of whoever clears it.");
        }
        Text.checkLine("The name of whoever clears a failure", by, MAX_BY);
        Text.checkProse("The reason for clearing a failure", reason, MAX_REASON);
    }

    /** The answer to {@link Execution#clear}. */
    public sealed interface Answer {
        record Cleared(Execution execution) implements Answer {}

        record AlreadyCleared(Clearance first) implements Answer {}

        /** It has not failed, or its failure blocks nothing. */
        record NothingToClear(Phase phase) implements Answer {}
    }
}

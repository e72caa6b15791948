package dev.interlock.core.execution;

import dev.interlock.core.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an execution ended; it ends once. */
public sealed interface Ending {
    Instant at();

    record Completed(Instant at) implements Ending {}

    record Failed(Instant at, Failure failure) implements Ending {}

    /**
     * Refused, and not queued.
     *
     * @param code the rule that refused it
     * @param sentence the refusal, as it was said
     * @param until when the rule would have let it through; null when nobody can tell
     */
    record Skipped(
            Instant at,
            String code,
            String sentence,
            @Nullable Instant until) implements Ending {}

    record Cancelled(Instant at, String by, String reason) implements Ending {
        private static final int MAX_BY = 256;
        private static final int MAX_REASON = 1000;

        public Cancelled {
            Text.checkLine("The name of whoever cancels", by, MAX_BY);
            Text.checkProse("The reason for cancelling", reason, MAX_REASON);
        }
    }

    default Phase phase() {
        return switch (this) {
            case Completed completed -> Phase.COMPLETED;
            case Failed failed -> Phase.FAILED;
            case Skipped skipped -> Phase.SKIPPED;
            case Cancelled cancelled -> Phase.CANCELLED;
        };
    }
}

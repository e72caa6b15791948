package dev.interlock.engine;

import dev.interlock.core.Loss;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What to tell the store of an attempt whose handler has come to its end. */
final class Outcomes {
    private static final int LONGEST_CODE = 128;

    private Outcomes() {}

    /**
     * What was seen.
     *
     * @param stop why it was told to stop before it ended; null when it was not
     * @param thrown what the handler threw; null when it returned
     * @param beganAt when a step was first seen to begin
     */
    record Evidence(
            @Nullable Stop stop,
            @Nullable Throwable thrown,
            @Nullable Integer exit,
            @Nullable Instant beganAt) {
        FailureKind kind() {
            return FailureKind.of(false, beganAt != null);
        }
    }

    /**
     * Whoever was told to stop may have left things half done, however its handler returned: so that counts, not what
     * the handler said. Of a lost lock nothing is told, because it is not this worker's to end any more; only who took
     * it by force waits for the confirmation.
     */
    static @Nullable Outcome of(Claimed claimed, Evidence seen) {
        return switch (seen.stop()) {
            case null -> ended(claimed, seen);
            case Stop.Cancelled cancelled -> new Outcome.Stopped(seen.exit(), seen.beganAt());
            case Stop.TimedOut timedOut -> stopped(claimed, seen, timedOut, RetryClass.TRANSIENT, Failure.TIMEOUT);
            case Stop.Drained drained -> stopped(claimed, seen, drained, RetryClass.TRANSIENT, Stop.DRAINED);
            case Stop.Lost(Loss.ForcedBy forced) ->
                stopped(claimed, seen, new Stop.Lost(forced), RetryClass.PERMANENT, Stop.FORCED);
            case Stop.Lost lost -> null;
        };
    }

    private static Outcome ended(Claimed claimed, Evidence seen) {
        return switch (seen.thrown()) {
            case null -> new Outcome.Completed(seen.exit());
            case WorkFailed failed -> failed(claimed, seen, failed.failure(seen.kind()));
            case Throwable other ->
                failed(claimed, seen, new Failure(seen.kind(), RetryClass.PERMANENT, code(other), message(other)));
        };
    }

    private static Outcome stopped(Claimed claimed, Evidence seen, Stop why, RetryClass retry, String code) {
        return failed(claimed, seen, new Failure(seen.kind(), retry, code, why.sentence()));
    }

    private static Outcome failed(Claimed claimed, Evidence seen, Failure failure) {
        return new Outcome.Failed(
                seen.exit(),
                failure,
                seen.beganAt(),
                claimed.workflow().policy().retry());
    }

    private static String code(Throwable thrown) {
        String name = thrown.getClass().getSimpleName();
        String code = name.isEmpty() ? thrown.getClass().getName() : name;
        return code.length() <= LONGEST_CODE ? code : code.substring(0, LONGEST_CODE);
    }

    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null ? thrown.getClass().getName() : message;
    }
}

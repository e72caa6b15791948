package dev.interlock.core.work;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.Retry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, as whoever ran it saw it.
 *
 * @param execution as whoever ran it was given it
 * @param token of the attempt; the store refuses any other
 */
public record Finish(Execution execution, long token, Outcome outcome) {
    public static Finish of(Claimed claimed, Outcome outcome) {
        return new Finish(claimed.execution(), claimed.token(), outcome);
    }

    public String id() {
        return execution.id();
    }

    public String target() {
        return execution.request().target();
    }

    public sealed interface Outcome {
        record Completed(@Nullable Integer exit) implements Outcome {}

        /**
         * Failed.
         *
         * @param workBeganAt when a step was first seen to begin; null when nothing ran
         * @param retry what decides whether it is tried again
         */
        record Failed(
                @Nullable Integer exit,
                Failure failure,
                @Nullable Instant workBeganAt,
                Retry retry) implements Outcome {}

        /** Stopped, because somebody cancelled it. */
        record Stopped(@Nullable Integer exit, @Nullable Instant workBeganAt) implements Outcome {}

        /** Nothing has run, and this worker will not run it: somebody else may, at once. */
        record HandedBack(String reason) implements Outcome {}
    }
}

package dev.interlock.core.admission;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who asks to start.
 *
 * @param execution null for somebody who only wants to know what would happen
 * @param attempt which attempt would start
 */
public record Candidate(@Nullable String execution, int attempt, Request request, Instant submittedAt) {
    public static Candidate of(Execution execution) {
        return new Candidate(
                execution.id(), execution.attempts().size() + 1, execution.request(), execution.submittedAt());
    }

    /** What if somebody asked for this now? */
    public static Candidate whatIf(Request request, Instant now) {
        return new Candidate(null, 1, request, now);
    }

    boolean is(String other) {
        return other.equals(execution);
    }

    /** The total order of executions: submitted, then id. Whoever only asks would come last. */
    boolean isBehind(Situation.Open other) {
        int order = other.submittedAt().compareTo(submittedAt);
        return order < 0
                || (order == 0 && (execution == null || other.execution().compareTo(execution) < 0));
    }
}

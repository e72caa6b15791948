package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.Request;
import dev.interlock.core.work.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Executions as they are shown, with the names that programs rely on. */
final class ExecutionViews {
    private ExecutionViews() {}

    static Data.Fields data(Standing standing) {
        Execution execution = standing.execution();
        Request request = execution.request();
        return new Data.Fields()
                .with("id", execution.id())
                .with("phase", execution.phase().word())
                .with("workflow", request.workflow())
                .with("target", request.target())
                .with("parameters", parameters(request.parameters()))
                .with("requester", request.requester())
                .with("on_busy", request.onBusy().word())
                .with("priority", request.priority())
                .with("idempotency_key", request.idempotencyKey())
                .with("correlation_id", request.correlationId())
                .with("submitted_at", execution.submittedAt())
                .with("started_at", execution.startedAt())
                .with("next_attempt_at", execution.nextAttemptAt())
                .with("completed_at", execution.completedAt())
                .with("position", standing.position())
                .with("progress", standing.progress())
                .with("cancelled_by", standing.cancelledBy())
                .with("dead_since", standing.deadSince())
                .with("ending", ending(execution.ending()))
                .with("clearance", clearance(execution.clearance()))
                .with("attempts", attempts(execution))
                .with("seen_at", standing.seenAt());
    }

    private static Data parameters(Map<String, String> parameters) {
        Data.Fields fields = new Data.Fields();
        new TreeMap<>(parameters).forEach(fields::with);
        return fields;
    }

    private static Data.@Nullable Fields ending(@Nullable Ending ending) {
        return switch (ending) {
            case null -> null;
            case Ending.Completed completed -> new Data.Fields().with("at", completed.at());
            case Ending.Failed failed -> failure(failed.failure()).with("at", failed.at());
            case Ending.Skipped skipped ->
                new Data.Fields()
                        .with("at", skipped.at())
                        .with("code", skipped.code())
                        .with("message", skipped.sentence())
                        .with("until", skipped.until());
            case Ending.Cancelled cancelled ->
                new Data.Fields()
                        .with("at", cancelled.at())
                        .with("by", cancelled.by())
                        .with("reason", cancelled.reason());
        };
    }

    private static Data.Fields failure(Failure failure) {
        return new Data.Fields()
                .with("code", failure.code())
                .with("kind", failure.kind().name())
                .with("retry_class", failure.retryClass().name())
                .with("message", failure.message());
    }

    private static Data.@Nullable Fields clearance(@Nullable Clearance clearance) {
        return clearance == null
                ? null
                : new Data.Fields()
                        .with("by", clearance.by())
                        .with("reason", clearance.reason())
                        .with("at", clearance.at());
    }

    private static List<Data> attempts(Execution execution) {
        List<Data> attempts = new ArrayList<>();
        for (Attempt attempt : execution.attempts()) {
            Attempt.End end = attempt.end();
            Failure failure = end == null ? null : end.failure();
            attempts.add(new Data.Fields()
                    .with("number", attempt.number())
                    .with("owner", attempt.owner())
                    .with("token", attempt.token())
                    .with("started_at", attempt.startedAt())
                    .with("work_began_at", attempt.workBeganAt())
                    .with("ended_at", end == null ? null : end.at())
                    .with("exit", end == null || end.exit() == null ? null : Long.valueOf(end.exit()))
                    .with("failure", failure == null ? null : failure(failure)));
        }
        return attempts;
    }

    static Table.Cell phase(Execution execution) {
        Style style = switch (execution.phase()) {
            case RUNNING -> Style.GOOD;
            case FAILED -> Style.BAD;
            case SKIPPED, CANCELLED -> Style.WARN;
            case PENDING, COMPLETED -> Style.PLAIN;
        };
        return Table.cell(execution.phase().word(), style);
    }

    /** What there is to say about it at the moment, in a few words. */
    static String note(Standing standing) {
        Execution execution = standing.execution();
        return switch (execution.ending()) {
            case null -> open(standing);
            case Ending.Completed completed -> "";
            case Ending.Failed failed ->
                failed.failure().code() + ": " + failed.failure().message();
            case Ending.Skipped skipped -> skipped.code();
            case Ending.Cancelled cancelled -> "by " + cancelled.by() + ": " + cancelled.reason();
        };
    }

    private static String open(Standing standing) {
        if (standing.cancelledBy() != null) {
            return "being stopped for " + standing.cancelledBy();
        }
        if (standing.execution().nextAttemptAt() != null) {
            return "next attempt in "
                    + Views.span(standing.seenAt(), standing.execution().nextAttemptAt());
        }
        if (standing.position() > 0) {
            return "position " + standing.position();
        }
        return standing.progress() == null ? "" : standing.progress();
    }
}

package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.work.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dead letters as they are shown. */
final class DeadViews {
    private DeadViews() {}

    static Data.Fields data(Standing letter) {
        Execution execution = letter.execution();
        List<Data> attempts = new ArrayList<>();
        for (Attempt attempt : execution.attempts()) {
            attempts.add(data(attempt));
        }
        Data.Fields parameters = new Data.Fields();
        execution.request().parameters().forEach(parameters::with);
        return new Data.Fields()
                .with("execution", execution.id())
                .with("target", execution.request().target())
                .with("workflow", execution.request().workflow())
                .with("parameters", parameters)
                .with("requester", execution.request().requester())
                .with("submitted_at", execution.submittedAt())
                .with("dead_since", letter.deadSince())
                .with("failure", code(execution))
                .with("message", message(execution))
                .with("attempts", attempts)
                .with("seen_at", letter.seenAt());
    }

    private static Data.Fields data(Attempt attempt) {
        Attempt.End end = attempt.end();
        Failure failure = end == null ? null : end.failure();
        return new Data.Fields()
                .with("number", attempt.number())
                .with("owner", attempt.owner())
                .with("token", attempt.token())
                .with("started_at", attempt.startedAt())
                .with("ended_at", end == null ? null : end.at())
                .with(
                        "exit",
                        end == null || end.exit() == null ? null : end.exit().longValue())
                .with("failure", failure == null ? null : failure.code())
                .with("message", failure == null ? null : failure.message());
    }

    static String deadFor(Standing letter) {
        Instant since = letter.deadSince();
        return since == null ? "-" : Views.span(since, letter.seenAt());
    }

    static String code(Execution execution) {
        return execution.ending() instanceof Ending.Failed failed
                ? failed.failure().code()
                : "";
    }

    static @Nullable String message(Execution execution) {
        return execution.ending() instanceof Ending.Failed failed
                ? failed.failure().message()
                : null;
    }
}

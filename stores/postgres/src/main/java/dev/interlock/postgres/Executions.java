package dev.interlock.postgres;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.RetryClass;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Executions as rows of interlock.execution, and what they keep as JSON. */
final class Executions {
    private Executions() {}

    static Execution read(ResultSet row) throws SQLException {
        Phase phase = Phase.valueOf(row.getString("phase"));
        List<Attempt> attempts = attempts(row.getString("attempts"));
        if (attempts.size() < row.getInt("attempt")) {
            attempts.add(latest(row, phase));
        }
        return new Execution(
                row.getString("id"),
                request(row),
                Rows.instant(row, "submitted_at"),
                attempts,
                phase == Phase.PENDING && !attempts.isEmpty() ? Rows.instantOrNull(row, "due_at") : null,
                phase.isTerminal() ? ending(phase, Rows.instant(row, "ended_at"), row.getString("ending")) : null,
                clearance(row));
    }

    /** The attempt that the columns tell: it runs, or it completed. */
    private static Attempt latest(ResultSet row, Phase phase) throws SQLException {
        Attempt started = Attempt.started(
                row.getInt("attempt"), row.getString("owner"), row.getLong("token"), Rows.instant(row, "started_at"));
        return phase == Phase.RUNNING
                ? started
                : started.withEnd(
                        new Attempt.End(Rows.instant(row, "ended_at"), row.getObject("exit", Integer.class), null));
    }

    /** Whether a row of interlock.moved tells of an execution that was started. */
    static boolean hasStarted(ResultSet row) throws SQLException {
        return row.getObject("lease") != null;
    }

    /** That execution. */
    static Execution started(ResultSet row, String owner) throws SQLException {
        List<Attempt> attempts = attempts(row.getString("attempts"));
        attempts.add(Attempt.started(row.getInt("attempt"), owner, row.getLong("token"), Rows.instant(row, "at")));
        return new Execution(
                row.getString("id"), request(row), Rows.instant(row, "submitted_at"), attempts, null, null, null);
    }

    private static Request request(ResultSet row) throws SQLException {
        return new Request(
                row.getString("workflow"),
                row.getString("target"),
                JsonReader.strings(row.getString("parameters")),
                row.getString("requester"),
                OnBusy.valueOf(row.getString("on_busy")),
                row.getInt("priority"),
                row.getString("idempotency_key"),
                row.getString("correlation_id"));
    }

    private static @Nullable Clearance clearance(ResultSet row) throws SQLException {
        Instant at = Rows.instantOrNull(row, "cleared_at");
        return at == null ? null : new Clearance(row.getString("cleared_by"), row.getString("cleared_reason"), at);
    }

    private static List<Attempt> attempts(String json) {
        List<Attempt> attempts = new ArrayList<>();
        for (Map<String, @Nullable Object> one : JsonReader.objects(json)) {
            attempts.add(new Attempt(
                    attempts.size() + 1,
                    text(one, "owner"),
                    ((Number) Objects.requireNonNull(one.get("token"))).longValue(),
                    instant(text(one, "startedAt")),
                    instantOrNull(one, "workBeganAt"),
                    (String) one.get("log"),
                    new Attempt.End(instant(text(one, "endedAt")), exit(one), failure(one))));
        }
        return attempts;
    }

    private static @Nullable Integer exit(Map<String, @Nullable Object> attempt) {
        return attempt.get("exit") instanceof Number exit ? exit.intValue() : null;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Failure failure(Map<String, @Nullable Object> attempt) {
        return attempt.get("failure") instanceof Map<?, ?> kept
                ? failureOf((Map<String, @Nullable Object>) kept)
                : null;
    }

    private static Failure failureOf(Map<String, @Nullable Object> kept) {
        return new Failure(
                FailureKind.valueOf(text(kept, "kind")),
                RetryClass.valueOf(text(kept, "class")),
                text(kept, "code"),
                text(kept, "message"));
    }

    private static Ending ending(Phase phase, Instant at, @Nullable String json) {
        Map<String, @Nullable Object> kept = json == null ? Map.of() : JsonReader.object(json);
        return switch (phase) {
            case COMPLETED -> new Ending.Completed(at);
            case FAILED -> new Ending.Failed(at, failureOf(kept));
            case SKIPPED ->
                new Ending.Skipped(at, text(kept, "code"), text(kept, "sentence"), instantOrNull(kept, "until"));
            case CANCELLED -> new Ending.Cancelled(at, text(kept, "by"), text(kept, "reason"));
            case PENDING, RUNNING -> throw new IllegalArgumentException("An execution that is " + phase + " goes on.");
        };
    }

    /** The attempts that have ended. */
    static String attemptsJson(Execution execution) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (Attempt attempt : execution.attempts()) {
            Attempt.End end = attempt.end();
            if (end == null) {
                continue;
            }
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("owner", attempt.owner());
            one.put("token", attempt.token());
            one.put("startedAt", attempt.startedAt());
            one.put("workBeganAt", attempt.workBeganAt());
            one.put("log", attempt.log());
            one.put("endedAt", end.at());
            one.put("exit", end.exit());
            one.put("failure", end.failure() == null ? null : failureMap(end.failure()));
            all.add(one);
        }
        return Json.write(all);
    }

    static @Nullable String endingJson(Execution execution) {
        return switch (execution.ending()) {
            case null -> null;
            case Ending.Completed completed -> null;
            case Ending.Failed failed -> Json.write(failureMap(failed.failure()));
            case Ending.Skipped skipped -> {
                Map<String, @Nullable Object> kept = new LinkedHashMap<>();
                kept.put("code", skipped.code());
                kept.put("sentence", skipped.sentence());
                kept.put("until", skipped.until());
                yield Json.write(kept);
            }
            case Ending.Cancelled cancelled -> Json.write(Map.of("by", cancelled.by(), "reason", cancelled.reason()));
        };
    }

    /** What its end means for the target's history: null when it left no mark of failure. */
    static @Nullable String failureMark(Execution execution) {
        FailureKind kind = execution.gravestFailure();
        if (kind == null) {
            return null;
        }
        return switch (execution.phase()) {
            case FAILED -> kind.name();
            case CANCELLED -> kind.leavesDoubt() ? kind.name() : null;
            case PENDING, RUNNING, COMPLETED, SKIPPED -> null;
        };
    }

    private static Map<String, String> failureMap(Failure failure) {
        return Map.of(
                "kind",
                failure.kind().name(),
                "class",
                failure.retryClass().name(),
                "code",
                failure.code(),
                "message",
                failure.message());
    }

    private static String text(Map<String, @Nullable Object> kept, String field) {
        return (String) Objects.requireNonNull(kept.get(field), field);
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    private static @Nullable Instant instantOrNull(Map<String, @Nullable Object> kept, String field) {
        return kept.get(field) instanceof String text ? instant(text) : null;
    }
}

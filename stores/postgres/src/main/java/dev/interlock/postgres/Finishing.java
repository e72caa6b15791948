package dev.interlock.postgres;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import dev.interlock.core.work.Finished;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statements that end attempts: one for all that completed, a transaction for each other end. */
final class Finishing {
    private static final String COMPLETE = """
            SELECT c.*, clock_timestamp() AS seen_at
              FROM interlock.complete(?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?) c""";
    private static final String TAKE = "SELECT token FROM interlock.lock WHERE name = ? FOR UPDATE";
    private static final String FIND = """
            SELECT e.*, clock_timestamp() AS now,
                   EXISTS (SELECT FROM interlock.lock k WHERE k.name = e.target AND k.held AND k.token = ?) AS holds
              FROM interlock.execution e WHERE e.id = ?""";
    private static final String UNCLEARED = """
            SELECT * FROM interlock.execution
             WHERE target = ? AND failure IN ('STARTED', 'UNKNOWN') AND cleared_at IS NULL AND id <> ?
             ORDER BY id FOR UPDATE""";

    private final Declarations declarations;

    Finishing(Declarations declarations) {
        this.declarations = declarations;
    }

    Finished all(Connection connection, List<Finish> finishes, @Nullable Heir heir) throws SQLException {
        List<Finish> completed = finishes.stream().filter(Finishing::isPlain).toList();
        List<Claimed> next = new ArrayList<>();
        Map<Ended, Instant> ended = completed.isEmpty() ? Map.of() : complete(connection, completed, heir, next);
        List<Transition> answers = new ArrayList<>(finishes.size());
        for (Finish finish : finishes) {
            Instant at = isPlain(finish) ? ended.get(new Ended(finish.id(), finish.token())) : null;
            answers.add(
                    at == null
                            ? alone(connection, finish)
                            : finish.execution().complete(finish.token(), at, exit(finish)));
        }
        return new Finished(answers, next);
    }

    /** An attempt that has ended together with others. */
    private record Ended(String execution, long token) {}

    /** It completed, and the caller knows which execution that makes of it. */
    private static boolean isPlain(Finish finish) {
        Attempt running = finish.execution().running();
        return finish.outcome() instanceof Outcome.Completed && running != null && running.token() == finish.token();
    }

    private static @Nullable Integer exit(Finish completed) {
        return ((Outcome.Completed) completed.outcome()).exit();
    }

    /** Who may have what is next in line, under which claim, and how much of it. */
    record Heir(Claiming claiming, UUID claim, int most) {}

    /** When those ended that could end together. */
    private static Map<Ended, Instant> complete(
            Connection connection, List<Finish> completed, @Nullable Heir heir, List<Claimed> next)
            throws SQLException {
        Map<Ended, Instant> ended = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
            Parameters.text(statement, 1, completed, Finish::target);
            Parameters.text(statement, 2, completed, Finish::id);
            Parameters.longs(statement, 3, completed, Finish::token);
            statement.setArray(
                    4,
                    connection.createArrayOf(
                            "int4", completed.stream().map(Finishing::exit).toArray()));
            name(heir, statement);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    if (Executions.hasStarted(row)) {
                        next.add(Objects.requireNonNull(heir).claiming.claimed(row));
                    } else {
                        ended.put(new Ended(row.getString("id"), row.getLong("token")), Rows.instant(row, "at"));
                    }
                }
            }
        }
        return ended;
    }

    private static void name(@Nullable Heir heir, PreparedStatement statement) throws SQLException {
        if (heir == null) {
            statement.setObject(5, null, Types.OTHER);
            statement.setLong(6, 0);
            statement.setArray(7, null);
            statement.setString(8, null);
            statement.setString(9, null);
            statement.setInt(10, 0);
            return;
        }
        statement.setObject(5, heir.claim);
        statement.setLong(6, heir.claiming.declared().number());
        Parameters.text(statement, 7, heir.claiming.workflows(), workflow -> workflow);
        statement.setString(8, heir.claiming.plainTerms());
        statement.setString(9, heir.claiming.claimant().identity().owner());
        statement.setInt(10, heir.most);
    }

    private Transition alone(Connection connection, Finish finish) throws SQLException {
        Catalogue catalogue = declarations.current(connection).catalogue();
        return Transactions.on(connection, one -> end(one, finish, catalogue));
    }

    private static Transition end(Connection connection, Finish finish, Catalogue catalogue) throws SQLException {
        take(connection, finish.target());
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setLong(1, finish.token());
            statement.setString(2, finish.id());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return new Transition.Stale(finish.token(), 0);
                }
                Execution before = Executions.read(row);
                Transition answer = row.getBoolean("holds")
                        ? step(before, finish, Rows.instant(row, "now"), order(row))
                        : new Transition.Stale(finish.token(), 0);
                if (answer instanceof Transition.Moved(Execution after)) {
                    write(connection, after, finish.token(), Rows.instant(row, "now"), catalogue);
                    return answer;
                }
                return refused(connection, before, finish, answer);
            }
        }
    }

    private static void take(Connection connection, String target) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
            statement.setString(1, target);
            statement.execute();
        }
    }

    /** Who wants it stopped, and why. */
    private record Order(String by, String reason) {}

    private static @Nullable Order order(ResultSet row) throws SQLException {
        String by = row.getString("cancelled_by");
        return by == null ? null : new Order(by, row.getString("cancel_reason"));
    }

    /** What the outcome makes of the execution, by the table of phases. */
    private static Transition step(Execution before, Finish finish, Instant now, @Nullable Order order) {
        long token = finish.token();
        return switch (finish.outcome()) {
            case Outcome.Completed(Integer exit) -> before.complete(token, now, exit);
            case Outcome.Failed(Integer exit, Failure failure, Instant began, Retry retry) -> {
                Execution seen = withWorkBegun(before, token, failure.kind().leavesDoubt() ? began : null);
                yield switch (retry.after(seen, failure, now)) {
                    case Retry.Decision.Again(Instant at) ->
                        order == null
                                ? seen.retry(token, now, exit, failure, at.truncatedTo(ChronoUnit.MICROS))
                                : seen.cancel(token, now, exit, order.by, order.reason);
                    case Retry.Decision.GiveUp why -> seen.fail(token, now, exit, failure);
                };
            }
            case Outcome.Stopped(Integer exit, Instant began) -> {
                Execution seen = withWorkBegun(before, token, began);
                yield order == null
                        ? seen.cancel(token, now, exit, owner(before), "stopped by its worker")
                        : seen.cancel(token, now, exit, order.by, order.reason);
            }
            case Outcome.HandedBack(String reason) ->
                order == null
                        ? before.retry(token, now, null, handedBack(reason), now)
                        : before.cancel(token, now, null, order.by, order.reason);
        };
    }

    private static Execution withWorkBegun(Execution before, long token, @Nullable Instant began) {
        return began != null && before.workBegan(token, began) instanceof Transition.Moved(Execution seen)
                ? seen
                : before;
    }

    private static Failure handedBack(String reason) {
        return new Failure(FailureKind.NOT_STARTED, RetryClass.TRANSIENT, Failure.HANDED_BACK, reason);
    }

    private static String owner(Execution running) {
        Attempt attempt = running.running();
        return attempt == null ? "nobody" : attempt.owner();
    }

    private static void write(Connection connection, Execution after, long token, Instant now, Catalogue catalogue)
            throws SQLException {
        Holdings holdings = Holdings.take(connection, after.request().target(), catalogue);
        boolean goesOn = after.phase() == Phase.PENDING;
        boolean ready = goesOn && now.equals(after.nextAttemptAt());
        Changes.write(
                connection,
                after,
                Phase.RUNNING,
                goesOn ? (ready ? "READY" : "TIMED") : null,
                after.phase() == Phase.FAILED ? now : null);
        Resource resource = holdings == null ? null : holdings.resource();
        if (holdings != null && !goesOn) {
            boolean succeeded = after.phase() == Phase.COMPLETED;
            if (succeeded) {
                clearRecovered(connection, after, holdings.resource());
            }
            resource = holdings.end(connection, after, succeeded);
        }
        Failure failure = failure(after);
        Changes.giveBack(
                connection,
                after,
                token,
                now,
                resource == null ? null : resource.state(),
                failure == null ? null : failure.code() + ": " + failure.message());
        Changes.promote(connection, after.request().target());
    }

    private static @Nullable Failure failure(Execution after) {
        Attempt.End end = after.attempts().getLast().end();
        return end == null ? null : end.failure();
    }

    /** The lifecycle is the authority on recovery: what it recovered from waits for nobody any more. */
    private static void clearRecovered(Connection connection, Execution recovery, Resource resource)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UNCLEARED)) {
            statement.setString(1, recovery.request().target());
            statement.setString(2, recovery.id());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Execution failed = Executions.read(row);
                    var step = resource.lifecycle().step(failed.request().workflow());
                    String left =
                            step == null ? resource.state() : step.onFailure().text();
                    if (resource.lifecycle()
                            .recoversFrom(left, recovery.request().workflow())) {
                        Clearing.clear(
                                connection,
                                failed,
                                new Clearance(
                                        "recovery by " + recovery.id(),
                                        recovery.request().workflow() + " has succeeded",
                                        Situations.now(connection)));
                    }
                }
            }
        }
    }

    /** One that has been carried out before is answered as the first time; any other is noted. */
    private static Transition refused(Connection connection, Execution now, Finish finish, Transition refusal)
            throws SQLException {
        for (Attempt attempt : now.attempts()) {
            if (attempt.token() == finish.token() && attempt.end() != null && agrees(attempt.end(), finish.outcome())) {
                return new Transition.Moved(now);
            }
        }
        Attempt running = now.running();
        Transition answer = refusal instanceof Transition.Illegal
                ? refusal
                : new Transition.Stale(
                        finish.token(), running == null || running.token() == finish.token() ? 0 : running.token());
        Changes.note(connection, now.id(), "STALE", finish.token(), null, answer.sentence(), null);
        return answer;
    }

    private static boolean agrees(Attempt.End end, Outcome outcome) {
        Failure failure = end.failure();
        return switch (outcome) {
            case Outcome.Completed completed -> failure == null;
            case Outcome.Failed failed ->
                failure != null
                        && (failure.equals(failed.failure()) || failure.code().equals(Failure.CANCELLED));
            case Outcome.Stopped stopped -> failure != null && failure.code().equals(Failure.CANCELLED);
            case Outcome.HandedBack back ->
                failure != null
                        && (failure.code().equals(Failure.HANDED_BACK)
                                || failure.code().equals(Failure.CANCELLED));
        };
    }
}

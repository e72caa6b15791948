package dev.interlock.postgres;

import dev.interlock.core.LockName;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Consequence;
import dev.interlock.core.admission.Reason;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Catalogue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A request that cannot be accepted without a look at what is there. */
final class Deciding {
    /** Two that would join each other must not both find nothing; 64 bits, and a collision only makes one wait. */
    private static final String ONE_BY_ONE = "SELECT pg_advisory_xact_lock(hashtextextended(?, 7))";

    private static final String SAME_KEY = "SELECT * FROM interlock.execution WHERE idempotency_key = ?";
    private static final String IDENTICAL = """
            SELECT * FROM interlock.execution WHERE target = ? AND phase = 'RUNNING' AND fingerprint = decode(?, 'hex')
            UNION ALL
            (SELECT * FROM interlock.execution WHERE target = ? AND phase = 'PENDING' AND fingerprint = decode(?, 'hex')
              ORDER BY submitted_at, id LIMIT 1)
            LIMIT 1""";
    private static final String INSERT = """
            INSERT INTO interlock.execution (id, target, workflow, parameters, requester, on_busy, priority, idempotency_key,
                                             correlation_id, fingerprint, submitted_at, phase, turn, ended_at, ending)
            VALUES (?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?, ?::jsonb)
            ON CONFLICT DO NOTHING""";
    private static final String POST = """
            INSERT INTO interlock.outbox (execution, target)
            SELECT ?, ? FROM interlock.store WHERE transport_until > clock_timestamp()""";
    private static final String OURS = "SELECT * FROM interlock.execution WHERE id = ?";

    Submission decide(Connection connection, Submitting.Arrival arrival, Catalogue catalogue) throws SQLException {
        Request asked = arrival.request;
        Request kept = asked.faults().isEmpty() ? asked : storable(asked);
        boolean joins = asked.onBusy() == OnBusy.JOIN;
        if (joins) {
            query(connection, ONE_BY_ONE, kept.target());
        }
        Execution arriving = Execution.submitted(arrival.id, kept, Situations.now(connection));
        String print = kept.fingerprint();
        Submission answer = Submission.decide(
                arriving,
                sameKey(connection, kept),
                joins ? query(connection, IDENTICAL, kept.target(), print, kept.target(), print) : null);
        if (!(answer instanceof Submission.New)) {
            return arrived(answer, arrival);
        }
        Execution decided = judged(connection, arriving, asked, catalogue);
        if (!insert(connection, decided)) {
            Execution ours = query(connection, OURS, arrival.id);
            return ours != null
                    ? new Submission.New(ours)
                    : Submission.decide(arriving, sameKey(connection, kept), null);
        }
        return new Submission.New(decided);
    }

    /** What is there under our own name is ours: the answer to an earlier try was lost. */
    private static Submission arrived(Submission answer, Submitting.Arrival arrival) {
        return answer.execution().id().equals(arrival.id) ? new Submission.New(answer.execution()) : answer;
    }

    private @Nullable Execution sameKey(Connection connection, Request request) throws SQLException {
        return request.idempotencyKey() == null ? null : query(connection, SAME_KEY, request.idempotencyKey());
    }

    /** Ended, if a rule refuses it for good or at once. */
    private static Execution judged(Connection connection, Execution arriving, Request asked, Catalogue catalogue)
            throws SQLException {
        Candidate candidate = new Candidate(arriving.id(), 1, asked, arriving.submittedAt());
        return switch (Situations.read(connection, candidate, catalogue).consequence()) {
            case Consequence.Start start -> arriving;
            case Consequence.Wait wait -> arriving;
            case Consequence.Skip(Reason reason) -> skipped(arriving, reason, arriving.submittedAt());
            case Consequence.Fail(Reason reason) -> rejected(arriving, reason, arriving.submittedAt());
        };
    }

    static Execution skipped(Execution pending, Reason reason, Instant at) {
        return moved(pending.skip(new Ending.Skipped(
                at, reason.rule().code(), reason.sentence(), reason.ends().instant())));
    }

    static Execution rejected(Execution pending, Reason reason, Instant at) {
        return moved(pending.reject(at, reason.rule().code(), reason.sentence()));
    }

    static Execution moved(Transition transition) {
        return switch (transition) {
            case Transition.Moved(Execution execution) -> execution;
            case Transition.Illegal illegal -> throw new IllegalStateException(illegal.sentence());
            case Transition.Stale stale -> throw new IllegalStateException(stale.sentence());
        };
    }

    private static void post(Connection connection, Execution execution) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(POST)) {
            statement.setString(1, execution.id());
            statement.setString(2, execution.request().target());
            statement.execute();
        }
    }

    private boolean insert(Connection connection, Execution execution) throws SQLException {
        Request request = execution.request();
        boolean open = execution.ending() == null;
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, execution.id());
            statement.setString(2, request.target());
            statement.setString(3, request.workflow());
            statement.setString(4, Json.object(request.parameters()));
            statement.setString(5, request.requester());
            statement.setString(6, request.onBusy().name());
            statement.setInt(7, request.priority());
            statement.setString(8, request.idempotencyKey());
            statement.setString(9, request.correlationId());
            statement.setString(10, request.fingerprint());
            Changes.instant(statement, 11, execution.submittedAt());
            statement.setString(12, execution.phase().name());
            statement.setString(13, open ? "READY" : null);
            Changes.instant(statement, 14, execution.completedAt());
            statement.setString(15, Executions.endingJson(execution));
            if (statement.executeUpdate() == 0) {
                return false;
            }
        }
        Changes.note(connection, execution.id(), "REQUESTED", 0, null, null, null);
        if (open) {
            post(connection, execution);
            Changes.call(connection);
        } else {
            Changes.note(connection, execution.id(), "REFUSED", 0, null, sentence(execution), null);
        }
        return true;
    }

    static String sentence(Execution ended) {
        return switch (ended.ending()) {
            case Ending.Skipped skipped -> skipped.sentence();
            case Ending.Failed failed -> failed.failure().message();
            case null, default -> "";
        };
    }

    /** The first execution that the statement gives, if it gives executions. */
    private static @Nullable Execution query(Connection connection, String sql, String... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                statement.setString(at + 1, parameters[at]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.getMetaData().getColumnCount() > 1 && row.next() ? Executions.read(row) : null;
            }
        }
    }

    /** A malformed request as it can be kept: what no table can hold is replaced, and what no index can hold is cut. */
    private static Request storable(Request request) {
        Map<String, String> parameters = request.parameters().entrySet().stream()
                .collect(Collectors.toMap(
                        parameter -> storable(parameter.getKey(), Integer.MAX_VALUE),
                        parameter -> storable(parameter.getValue(), Integer.MAX_VALUE),
                        (one, other) -> one));
        return new Request(
                storable(request.workflow(), LockName.MAX_LENGTH),
                storable(request.target(), LockName.MAX_LENGTH),
                parameters,
                request.requester(),
                request.onBusy(),
                request.priority(),
                request.idempotencyKey(),
                request.correlationId());
    }

    private static String storable(String text, int longest) {
        return text.codePoints()
                .limit(longest)
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? 0xFFFD : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}

package dev.interlock.postgres;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The statement that accepts requests: one for all that travel together and need no decision. */
final class Submitting {
    /**
     * Only inserts: nothing is locked, so that a service can submit inside a long transaction of its own. What is already
     * there under its key, and what turns out to be a resource, is left out; it is looked at one by one.
     */
    private static final String SUBMIT = """
            WITH c AS MATERIALIZED (
                SELECT clock_timestamp() AS now, s.catalogue, s.transport_until > clock_timestamp() AS posted FROM interlock.store s
            ), arrived AS (
                INSERT INTO interlock.execution (id, target, workflow, parameters, requester, on_busy, priority,
                                                 idempotency_key, correlation_id, fingerprint, submitted_at, phase, turn)
                SELECT u.id, u.target, u.workflow, u.parameters::jsonb, u.requester, 'QUEUE', u.priority,
                       u.idempotency_key, u.correlation_id, decode(u.fingerprint, 'hex'), c.now, 'PENDING', 'READY'
                  FROM c, unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::text[])
                          AS u(id, target, workflow, parameters, requester, priority, idempotency_key, correlation_id, fingerprint)
                 WHERE c.catalogue = ? AND NOT EXISTS (SELECT FROM interlock.resource r WHERE r.target = u.target)
                %s
                RETURNING id, target, workflow, requester, correlation_id, submitted_at
            ), told AS (
                INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at,
                                               workflow, correlation, phase, filed)
                SELECT a.target, 0, 'REQUESTED', a.id, 0, '', a.requester, a.submitted_at, a.submitted_at, a.workflow,
                       a.correlation_id, 'PENDING', NULL::boolean
                  FROM arrived a
            ), posted AS (
                INSERT INTO interlock.outbox (execution, target) SELECT a.id, a.target FROM c, arrived a WHERE c.posted
            )
            SELECT c.now, c.catalogue, (SELECT count(*) FROM arrived) AS arrived,
                   CASE WHEN EXISTS (SELECT FROM interlock.idle WHERE until > c.now)
                        THEN pg_notify('interlock_work', 'ready') END AS called
              FROM c""";

    private static final String SUBMIT_KEYED =
            SUBMIT.formatted("ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING");

    /** Without keys there is nothing to be in conflict with, and a row is not inserted on trial. */
    private static final String SUBMIT_PLAIN = SUBMIT.formatted("");

    private static final String THERE = "SELECT * FROM interlock.execution WHERE id = ANY (?)";

    /** Nothing was accepted: what is declared has changed since we read it. */
    private static final int OUTDATED = -1;

    /** One request on its way. */
    static final class Arrival {
        final String id;
        final Request request;

        @Nullable Submission answer;

        Arrival(String id, Request request) {
            this.id = id;
            this.request = request;
        }
    }

    private final Declarations declarations;
    private final Deciding deciding;

    Submitting(Declarations declarations) {
        this.declarations = declarations;
        this.deciding = new Deciding();
    }

    /** Answers them in their order; those that need no decision travel together. */
    void all(Connection connection, List<Arrival> arrivals) throws SQLException {
        Declarations.Kept declared = declarations.last();
        List<Arrival> plain = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            if (isPlain(arrival.request, declared.catalogue())) {
                plain.add(arrival);
                continue;
            }
            together(connection, plain, declared);
            plain.clear();
            alone(connection, arrival);
            // It was decided by what is in force now: the others may be plain by that.
            declared = declarations.last();
        }
        together(connection, plain, declared);
    }

    /** Whether nothing but a free target decides when it starts, as far as can be told without looking. */
    static boolean isPlain(Request request, Catalogue catalogue) {
        Workflow workflow = catalogue.workflows().get(request.workflow());
        return workflow != null
                && isPlain(workflow.policy())
                && request.onBusy() == OnBusy.QUEUE
                && request.faults().isEmpty();
    }

    static boolean isPlain(Policy policy) {
        return policy.block() == null
                && policy.backoff() == null
                && policy.cooldown().isZero();
    }

    private void together(Connection connection, List<Arrival> plain, Declarations.Kept declared) throws SQLException {
        if (plain.isEmpty()) {
            return;
        }
        int arrived = insert(connection, plain, declared);
        if (arrived == plain.size()) {
            return;
        }
        if (arrived == OUTDATED) {
            declarations.current(connection);
            all(connection, List.copyOf(plain));
            return;
        }
        Set<String> there = new HashSet<>();
        for (Execution one : find(connection, plain)) {
            there.add(one.id());
        }
        for (Arrival arrival : plain) {
            if (!there.contains(arrival.id)) {
                arrival.answer = null;
                alone(connection, arrival);
            }
        }
    }

    private static int insert(Connection connection, List<Arrival> plain, Declarations.Kept declared)
            throws SQLException {
        boolean keyed = plain.stream().anyMatch(arrival -> arrival.request.idempotencyKey() != null);
        try (PreparedStatement statement = connection.prepareStatement(keyed ? SUBMIT_KEYED : SUBMIT_PLAIN)) {
            Parameters.text(statement, 1, plain, arrival -> arrival.id);
            Parameters.text(statement, 2, plain, arrival -> arrival.request.target());
            Parameters.text(statement, 3, plain, arrival -> arrival.request.workflow());
            Parameters.text(statement, 4, plain, arrival -> Json.object(arrival.request.parameters()));
            Parameters.text(statement, 5, plain, arrival -> arrival.request.requester());
            Parameters.ints(statement, 6, plain, arrival -> arrival.request.priority());
            Parameters.text(statement, 7, plain, arrival -> arrival.request.idempotencyKey());
            Parameters.text(statement, 8, plain, arrival -> arrival.request.correlationId());
            Parameters.text(statement, 9, plain, arrival -> arrival.request.fingerprint());
            statement.setLong(10, declared.number());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Instant now = Rows.instant(row, "now");
                for (Arrival arrival : plain) {
                    arrival.answer = new Submission.New(Execution.submitted(arrival.id, arrival.request, now));
                }
                return row.getLong("catalogue") == declared.number() ? row.getInt("arrived") : OUTDATED;
            }
        } catch (SQLException e) {
            if (!"23505".equals(e.getSQLState()) || !connection.getAutoCommit()) {
                throw e;
            }
            // The names are ours: they were accepted before, and the answer was lost.
            List<Execution> there = find(connection, plain);
            for (Arrival arrival : plain) {
                there.stream()
                        .filter(one -> one.id().equals(arrival.id))
                        .forEach(one -> arrival.answer = new Submission.New(one));
            }
            return there.size();
        }
    }

    private static List<Execution> find(Connection connection, List<Arrival> arrivals) throws SQLException {
        List<Execution> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(THERE)) {
            Parameters.text(statement, 1, arrivals, arrival -> arrival.id);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(Executions.read(row));
                }
            }
        }
        return found;
    }

    private void alone(Connection connection, Arrival arrival) throws SQLException {
        Catalogue catalogue = declarations.current(connection).catalogue();
        arrival.answer = connection.getAutoCommit()
                ? Transactions.on(connection, one -> deciding.decide(one, arrival, catalogue))
                : deciding.decide(connection, arrival, catalogue);
    }
}

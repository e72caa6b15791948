package dev.interlock.postgres;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.CatalogueStore.Publication;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes declarations, within the transaction of whoever publishes them, and an event for each. */
final class Publishing {
    private static final String STRANDED = """
            SELECT target, state FROM interlock.resource
             WHERE lifecycle = ? AND NOT state = ANY (?) ORDER BY target LIMIT 1""";
    private static final String SAME_NAME = """
            SELECT min(n.target) AS target, max(n.target) AS other
              FROM (SELECT target, interlock.unique_name(?, ?, state, fields) AS name
                      FROM interlock.resource WHERE lifecycle = ?) n
             WHERE n.name IS NOT NULL
             GROUP BY n.name HAVING count(*) > 1 ORDER BY 1 LIMIT 1""";
    private static final String PUT_LIFECYCLE = """
            INSERT INTO interlock.lifecycle (name, states, initial, unique_fields, free_in) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE
               SET states = excluded.states, initial = excluded.initial,
                   unique_fields = excluded.unique_fields, free_in = excluded.free_in""";
    // In two steps: the new name of one resource may be the old one of another.
    private static final String FORGET_NAMES =
            "UPDATE interlock.resource SET unique_name = NULL WHERE lifecycle = ? AND unique_name IS NOT NULL";
    private static final String NAME_AGAIN = """
            UPDATE interlock.resource r SET unique_name = interlock.unique_name(l.unique_fields, l.free_in, r.state, r.fields)
              FROM interlock.lifecycle l WHERE l.name = ? AND r.lifecycle = l.name""";
    private static final String REMOVE_STEPS = "DELETE FROM interlock.workflow WHERE lifecycle = ?";
    private static final String REMOVE_WORKFLOW = "DELETE FROM interlock.workflow WHERE lifecycle = '' AND name = ?";
    private static final String ADD_WORKFLOW = """
            INSERT INTO interlock.workflow
                   (lifecycle, name, position, "from", during, on_success, on_failure, command, transient_exits,
                    cooldown, cooldown_scope, block, backoff_base, backoff_max, backoff_limit, probe_after,
                    attempts, retry_first, retry_longest, after_loss, timeout, lease)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::interval, ?, ?, ?::interval, ?::interval, ?, ?::interval,
                    ?, ?::interval, ?::interval, ?, ?::interval, ?::interval)""";
    private static final String PUBLISHED = """
            INSERT INTO interlock.history
                   (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail)
            SELECT ?, 0, 'PUBLISHED', '', 0, '', ?, c.now, c.now, ?, ?
              FROM (SELECT clock_timestamp() AS now OFFSET 0) c""";

    private final Connection connection;
    private final String by;
    private final List<String> changes = new ArrayList<>();

    Publishing(Connection connection, String by) {
        this.connection = connection;
        this.by = by;
    }

    /** What was written, one sentence each. */
    List<String> changes() {
        return changes;
    }

    /** What the resources there are have against it; null when nothing. */
    static @Nullable Publication refusal(Connection connection, Lifecycle lifecycle) throws SQLException {
        Declaration declaration = lifecycle.declaration();
        try (PreparedStatement statement = connection.prepareStatement(STRANDED)) {
            statement.setString(1, lifecycle.name());
            Parameters.text(statement, 2, declaration.states(), Word::text);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return new Publication.Stranding(lifecycle.name(), row.getString("state"), row.getString("target"));
                }
            }
        }
        return declaration.unique() == null ? null : sameName(connection, lifecycle.name(), declaration.unique());
    }

    private static @Nullable Publication sameName(Connection connection, String lifecycle, Unique unique)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAME_NAME)) {
            Parameters.text(statement, 1, unique.fields(), Word::text);
            Parameters.text(statement, 2, unique.freeIn(), Word::text);
            statement.setString(3, lifecycle);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Publication.SameName(lifecycle, row.getString("target"), row.getString("other"))
                        : null;
            }
        }
    }

    void write(Lifecycle lifecycle, @Nullable Lifecycle before) throws SQLException {
        Declaration declaration = lifecycle.declaration().withoutLines();
        put(declaration);
        run(REMOVE_STEPS, lifecycle.name());
        int position = 0;
        for (Step step : declaration.steps()) {
            add(lifecycle.name(), position++, step, step.workflow());
        }
        if (before != null && !Objects.equals(before.declaration().unique(), declaration.unique())) {
            run(FORGET_NAMES, lifecycle.name());
            run(NAME_AGAIN, lifecycle.name());
        }
        tell("lifecycle", lifecycle.name(), before != null);
    }

    void write(Workflow workflow, boolean wasThere) throws SQLException {
        run(REMOVE_WORKFLOW, workflow.name());
        add("", 0, null, workflow);
        tell("workflow", workflow.name(), wasThere);
    }

    private void put(Declaration declaration) throws SQLException {
        Unique unique = declaration.unique();
        try (PreparedStatement statement = connection.prepareStatement(PUT_LIFECYCLE)) {
            statement.setString(1, declaration.name().text());
            Parameters.text(statement, 2, declaration.states(), Word::text);
            statement.setString(3, declaration.initial().text());
            words(statement, 4, unique == null ? null : unique.fields());
            words(statement, 5, unique == null ? null : unique.freeIn());
            statement.executeUpdate();
        }
    }

    private void add(String lifecycle, int position, @Nullable Step step, Workflow workflow) throws SQLException {
        Policy policy = workflow.policy();
        Backoff backoff = policy.backoff();
        Retry retry = policy.retry();
        try (PreparedStatement statement = connection.prepareStatement(ADD_WORKFLOW)) {
            statement.setString(1, lifecycle);
            statement.setString(2, workflow.name());
            statement.setInt(3, position);
            words(statement, 4, step == null ? null : step.from());
            statement.setString(5, step == null ? null : step.during().text());
            statement.setString(6, step == null ? null : step.onSuccess().text());
            statement.setString(7, step == null ? null : step.onFailure().text());
            Parameters.text(statement, 8, workflow.command(), word -> word);
            Parameters.ints(statement, 9, List.copyOf(workflow.transientExits()), exit -> exit);
            duration(statement, 10, policy.cooldown());
            statement.setString(11, policy.cooldownScope().name());
            statement.setString(
                    12, policy.block() == null ? null : policy.block().name());
            duration(statement, 13, backoff == null ? null : backoff.base());
            duration(statement, 14, backoff == null ? null : backoff.max());
            statement.setObject(15, backoff == null ? null : backoff.limit(), java.sql.Types.INTEGER);
            duration(statement, 16, backoff == null ? null : backoff.probeAfter());
            statement.setInt(17, retry.attempts());
            duration(statement, 18, retry.first());
            duration(statement, 19, retry.longest());
            statement.setBoolean(20, retry.afterLoss());
            duration(statement, 21, policy.timeout());
            duration(statement, 22, policy.lease());
            statement.executeUpdate();
        }
    }

    private void tell(String what, String name, boolean wasThere) throws SQLException {
        String change = (wasThere ? "Changed " : "Declared ") + what + " '" + name + "'.";
        changes.add(change);
        run(PUBLISHED, name, by, by, change);
    }

    private void run(String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < values.length; at++) {
                statement.setString(at + 1, values[at]);
            }
            statement.executeUpdate();
        }
    }

    private static void words(PreparedStatement statement, int at, @Nullable List<Word> words) throws SQLException {
        if (words == null) {
            statement.setNull(at, java.sql.Types.ARRAY);
        } else {
            Parameters.text(statement, at, words, Word::text);
        }
    }

    private static void duration(PreparedStatement statement, int at, @Nullable Duration duration) throws SQLException {
        statement.setString(at, duration == null ? null : duration.toString());
    }
}

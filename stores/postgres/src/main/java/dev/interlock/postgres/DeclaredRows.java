package dev.interlock.postgres;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is declared, as of one moment. */
final class DeclaredRows {
    /** A lifecycle has a workflow at least, so none is missed. */
    private static final String CATALOGUE = """
            SELECT w.lifecycle, w.name, w."from", w.during, w.on_success, w.on_failure, w.command, w.transient_exits,
                   w.cooldown_scope, w.block, w.backoff_limit, w.attempts, w.after_loss,
                   extract(epoch FROM w.cooldown) AS cooldown, extract(epoch FROM w.backoff_base) AS backoff_base,
                   extract(epoch FROM w.backoff_max) AS backoff_max, extract(epoch FROM w.probe_after) AS probe_after,
                   extract(epoch FROM w.retry_first) AS retry_first, extract(epoch FROM w.retry_longest) AS retry_longest,
                   extract(epoch FROM w.timeout) AS timeout, extract(epoch FROM w.lease) AS lease,
                   l.states, l.initial, l.unique_fields, l.free_in
              FROM interlock.workflow w LEFT JOIN interlock.lifecycle l ON l.name = w.lifecycle
             ORDER BY w.lifecycle, w.position, w.name""";

    private final Map<String, Workflow> workflows = new HashMap<>();
    private final Map<String, List<Step>> steps = new HashMap<>();
    private final Map<String, Lifecycle> lifecycles = new HashMap<>();

    private DeclaredRows() {}

    static Catalogue read(Connection connection) throws SQLException {
        DeclaredRows rows = new DeclaredRows();
        try (PreparedStatement statement = connection.prepareStatement(CATALOGUE);
                ResultSet row = statement.executeQuery()) {
            Map<String, Declaration> declared = new HashMap<>();
            while (row.next()) {
                rows.add(row, declared);
            }
            declared.forEach((name, declaration) -> rows.lifecycles.put(name, new Lifecycle(declaration)));
        }
        return new Catalogue(rows.workflows, rows.lifecycles);
    }

    private void add(ResultSet row, Map<String, Declaration> declared) throws SQLException {
        String lifecycle = row.getString("lifecycle");
        Workflow workflow = workflow(row);
        if (lifecycle.isEmpty()) {
            workflows.put(workflow.name(), workflow);
            return;
        }
        List<Step> all = steps.computeIfAbsent(lifecycle, name -> new ArrayList<>());
        all.add(new Step(
                Word.of(workflow.name()),
                words(row, "from"),
                Word.of(row.getString("during")),
                Word.of(row.getString("on_success")),
                Word.of(row.getString("on_failure")),
                workflow));
        declared.put(
                lifecycle,
                new Declaration(
                        Word.of(lifecycle), words(row, "states"), Word.of(row.getString("initial")), all, unique(row)));
    }

    private static @Nullable Unique unique(ResultSet row) throws SQLException {
        return row.getArray("unique_fields") == null
                ? null
                : new Unique(words(row, "unique_fields"), words(row, "free_in"), 0);
    }

    private static Workflow workflow(ResultSet row) throws SQLException {
        return new Workflow(
                row.getString("name"),
                Rows.texts(row, "command"),
                Set.of((Integer[]) row.getArray("transient_exits").getArray()),
                policy(row));
    }

    private static Policy policy(ResultSet row) throws SQLException {
        String block = row.getString("block");
        Retry retry = new Retry(
                row.getInt("attempts"),
                duration(row, "retry_first"),
                duration(row, "retry_longest"),
                row.getBoolean("after_loss"));
        return new Policy(
                duration(row, "cooldown"),
                Scope.valueOf(row.getString("cooldown_scope")),
                block == null ? null : Scope.valueOf(block),
                backoff(row),
                retry,
                durationOrNull(row, "timeout"),
                duration(row, "lease"));
    }

    private static @Nullable Backoff backoff(ResultSet row) throws SQLException {
        Duration base = durationOrNull(row, "backoff_base");
        return base == null
                ? null
                : new Backoff(
                        base,
                        duration(row, "backoff_max"),
                        row.getInt("backoff_limit"),
                        durationOrNull(row, "probe_after"));
    }

    private static List<Word> words(ResultSet row, String column) throws SQLException {
        return Rows.texts(row, column).stream().map(Word::of).toList();
    }

    private static Duration duration(ResultSet row, String column) throws SQLException {
        Duration duration = durationOrNull(row, column);
        if (duration == null) {
            throw new SQLException("There is no " + column + " in a row that must have one.");
        }
        return duration;
    }

    private static @Nullable Duration durationOrNull(ResultSet row, String column) throws SQLException {
        var seconds = row.getBigDecimal(column);
        return seconds == null
                ? null
                : Duration.ofNanos(seconds.movePointRight(9).longValueExact());
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Page;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters: executions with an instant of death. */
public final class PostgresDeadLetters implements DeadLetters {
    private static final String LIST = """
            SELECT x.*, 0 AS position, clock_timestamp() AS seen_at FROM interlock.execution x
             WHERE x.dead_at IS NOT NULL
               AND (x.dead_at, x.id) > (coalesce(timestamptz 'epoch' + ? * interval '1 microsecond', '-infinity'), ?)
             ORDER BY x.dead_at, x.id LIMIT ?""";
    private static final String TAKE =
            "SELECT * FROM interlock.execution WHERE id = ? AND dead_at IS NOT NULL FOR UPDATE";
    private static final String BY_KEY = "SELECT * FROM interlock.execution WHERE idempotency_key = ?";
    private static final String TAKE_OFF = "UPDATE interlock.execution SET dead_at = NULL WHERE id = ?";
    private static final String BACKLOG = """
            SELECT count(*) AS letters, min(dead_at) AS oldest, clock_timestamp() AS now
              FROM interlock.execution WHERE dead_at IS NOT NULL""";

    private final Connections connections;
    private final PostgresExecutionStore executions;

    public PostgresDeadLetters(PostgresLockStore locks, PostgresExecutionStore executions) {
        this.connections = locks.connections();
        this.executions = executions;
    }

    @Override
    public Page<Standing> list(Page.Request page) {
        return connections.with(connection -> {
            List<Standing> found = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(LIST)) {
                String[] after = page.after() == null ? null : page.after().split(":", 2);
                statement.setObject(1, after == null ? null : Long.valueOf(after[0]), java.sql.Types.BIGINT);
                statement.setString(2, after == null ? "" : after[1]);
                statement.setInt(3, page.size() + 1);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(Standings.read(row));
                    }
                }
            }
            boolean more = found.size() > page.size();
            List<Standing> shown = more ? found.subList(0, page.size()) : found;
            return new Page<>(shown, more ? cursor(shown.getLast()) : null);
        });
    }

    private static String cursor(Standing last) {
        Instant dead = Objects.requireNonNull(last.deadSince());
        return ChronoUnit.MICROS.between(Instant.EPOCH, dead) + ":"
                + last.execution().id();
    }

    @Override
    public Optional<Standing> find(String execution) {
        return executions.find(execution).filter(standing -> standing.deadSince() != null);
    }

    /** A refusal undoes all of it, so that the letter stays and the key can be used when the refusal is gone. */
    @Override
    public Requeued requeue(String execution, String by) {
        return connections.with(connection -> {
            try {
                return Transactions.on(connection, one -> submitAgain(one, execution, by));
            } catch (NotAdmitted refusal) {
                Changes.note(connection, execution, "REFUSED", 0, by, refusal.sentence, null);
                return new Refused(refusal.sentence);
            }
        });
    }

    private Requeued submitAgain(Connection connection, String id, String by) throws SQLException {
        Execution dead = first(connection, TAKE, id);
        String key = "requeue:" + id;
        if (dead == null) {
            Execution before = first(connection, BY_KEY, key);
            return before == null ? new NotDead(id) : new Repeated(before);
        }
        Submission answer = executions.submit(connection, dead.request().withIdempotencyKey(key));
        Execution again = answer.execution();
        if (again.ending() instanceof Ending.Skipped || again.ending() instanceof Ending.Failed) {
            throw new NotAdmitted(answer.sentence());
        }
        takeOff(connection, id);
        Changes.note(connection, id, "REQUEUED", 0, by, "as execution " + again.id(), null);
        return new Submitted(again);
    }

    @Override
    public Discarded discard(String execution, String by, String reason) {
        return connections.with(connection -> Transactions.on(connection, one -> {
            if (first(one, TAKE, execution) == null) {
                return new NotDead(execution);
            }
            takeOff(one, execution);
            Changes.note(one, execution, "DISCARDED", 0, by, reason, null);
            return new Gone(execution);
        }));
    }

    @Override
    public Backlog backlog() {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(BACKLOG);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return new Backlog(row.getLong("letters"), Rows.instantOrNull(row, "oldest"), Rows.instant(row, "now"));
            }
        });
    }

    private static void takeOff(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE_OFF)) {
            statement.setString(1, id);
            statement.executeUpdate();
        }
    }

    private static @Nullable Execution first(Connection connection, String sql, String parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Executions.read(row) : null;
            }
        }
    }

    /** Ends the transaction of a requeue that is not admitted. */
    private static final class NotAdmitted extends RuntimeException {
        private final String sentence;

        NotAdmitted(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }
    }
}

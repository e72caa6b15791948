package dev.interlock.postgres;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The statements that change one execution, each with its event, while the row of its target's lock is ours. */
final class Changes {
    private static final String WRITE = """
            UPDATE interlock.execution
               SET phase = ?, turn = ?, due_at = ?, attempts = ?::jsonb, ended_at = ?, ending = ?::jsonb, failure = ?,
                   dead_at = ?, progress = NULL,
                   cancelled_by = CASE WHEN ? = 'PENDING' THEN NULL ELSE cancelled_by END
             WHERE id = ? AND phase = ?""";
    private static final String PUT_ASIDE =
            "UPDATE interlock.execution SET turn = ?, due_at = coalesce(?, due_at) WHERE id = ? AND turn = 'READY'";
    private static final String NOTE =
            "SELECT interlock.note(e, ?, ?, ?, ?, ?) FROM interlock.execution e WHERE e.id = ?";
    private static final String GIVE_BACK = "SELECT interlock.give_back(?, ?, ?, ?, ?, ?)";
    private static final String PROMOTE = "SELECT interlock.promote(?)";
    private static final String CALL = "SELECT interlock.call()";

    private Changes() {}

    /**
     * Writes what a verb made of the execution.
     *
     * @param was the phase that it must still have
     */
    static void write(
            Connection connection, Execution execution, Phase was, @Nullable String turn, @Nullable Instant dead)
            throws SQLException {
        Phase phase = execution.phase();
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            statement.setString(1, phase.name());
            statement.setString(2, turn);
            instant(statement, 3, execution.nextAttemptAt());
            statement.setString(4, Executions.attemptsJson(execution));
            instant(statement, 5, execution.completedAt());
            statement.setString(6, Executions.endingJson(execution));
            statement.setString(7, Executions.failureMark(execution));
            instant(statement, 8, dead);
            statement.setString(9, phase.name());
            statement.setString(10, execution.id());
            statement.setString(11, was.name());
            if (statement.executeUpdate() != 1) {
                throw new SQLException("execution " + execution.id() + " was changed by somebody else", "40001");
            }
        }
        if (turn != null) {
            // Whoever is idle claims it, or sees when it will be due.
            call(connection);
        }
    }

    /** Parked, or timed when it is to look again at that instant. */
    static void putAside(Connection connection, String id, @Nullable Instant until) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PUT_ASIDE)) {
            statement.setString(1, until == null ? "PARKED" : "TIMED");
            instant(statement, 2, until);
            statement.setString(3, id);
            statement.executeUpdate();
        }
    }

    static void note(
            Connection connection,
            String id,
            String event,
            long token,
            @Nullable String actor,
            @Nullable String detail,
            @Nullable String state)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NOTE)) {
            statement.setString(1, event);
            statement.setLong(2, token);
            statement.setString(3, actor);
            statement.setString(4, detail);
            statement.setString(5, state);
            statement.setString(6, id);
            statement.execute();
        }
    }

    /** Ends the tenure under which the execution ran. */
    static void giveBack(
            Connection connection,
            Execution execution,
            long token,
            Instant at,
            @Nullable String state,
            @Nullable String detail)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(GIVE_BACK)) {
            statement.setString(1, execution.id());
            statement.setLong(2, token);
            instant(statement, 3, at);
            statement.setString(4, execution.phase().name());
            statement.setString(5, state);
            statement.setString(6, detail);
            statement.execute();
        }
    }

    static void promote(Connection connection, String target) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PROMOTE)) {
            statement.setArray(1, connection.createArrayOf("text", new Object[] {target}));
            statement.execute();
        }
    }

    /** There is something to claim, for whoever is idle. */
    static void call(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CALL)) {
            statement.execute();
        }
    }

    static void instant(PreparedStatement statement, int at, @Nullable Instant instant) throws SQLException {
        if (instant == null) {
            statement.setNull(at, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(at, OffsetDateTime.ofInstant(instant, ZoneOffset.UTC));
        }
    }
}

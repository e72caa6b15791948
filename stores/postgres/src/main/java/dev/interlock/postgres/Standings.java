package dev.interlock.postgres;

import dev.interlock.core.Page;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What people are shown of executions. */
final class Standings {
    private static final String FIND = """
            SELECT e.*, clock_timestamp() AS seen_at,
                   CASE WHEN e.phase = 'PENDING'
                        THEN (SELECT count(*) FROM interlock.execution x
                               WHERE x.target = e.target AND x.phase = 'PENDING'
                                 AND (x.submitted_at, x.id) <= (e.submitted_at, e.id)) END AS position
              FROM interlock.execution e WHERE e.id = ?""";

    /** The line of each target on the page is counted once. */
    private static final String LIST = """
            WITH page AS MATERIALIZED (
                SELECT * FROM %s e
                 WHERE e.id < coalesce(?, '~') AND e.phase = ANY (?)
                   AND (?::text IS NULL OR e.target = ?)
                   AND (?::text IS NULL OR e.workflow = ?)
                   AND (?::text IS NULL OR e.requester = ?)
                 ORDER BY e.id DESC LIMIT ?
            ), line AS (
                SELECT x.id, row_number() OVER (PARTITION BY x.target ORDER BY x.submitted_at, x.id) AS position
                  FROM interlock.execution x
                 WHERE x.phase = 'PENDING' AND x.target IN (SELECT p.target FROM page p WHERE p.phase = 'PENDING')
            )
            SELECT p.*, clock_timestamp() AS seen_at, l.position
              FROM page p LEFT JOIN line l ON l.id = p.id ORDER BY p.id DESC""";

    private static final String ALL = LIST.formatted("interlock.execution");
    private static final String DEAD =
            LIST.formatted("(SELECT * FROM interlock.execution d WHERE d.dead_at IS NOT NULL OFFSET 0)");
    private static final String OF_TARGET = LIST.formatted("""
            (SELECT * FROM interlock.execution WHERE target = ? AND phase = 'PENDING'
             UNION ALL SELECT * FROM interlock.execution WHERE target = ? AND phase = 'RUNNING'
             UNION ALL SELECT * FROM interlock.execution WHERE target = ? AND ended_at IS NOT NULL)""");

    private Standings() {}

    static Optional<Standing> find(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(read(row)) : Optional.empty();
            }
        }
    }

    static Page<Standing> list(Connection connection, ExecutionFilter filter, Page.Request page) throws SQLException {
        boolean ofTarget = filter.target() != null && !filter.dead();
        List<Standing> found = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement(filter.dead() ? DEAD : ofTarget ? OF_TARGET : ALL)) {
            int at = 1;
            for (int times = 0; ofTarget && times < 3; times++) {
                statement.setString(at++, filter.target());
            }
            statement.setString(at++, page.after());
            statement.setArray(
                    at++,
                    connection.createArrayOf(
                            "text", filter.phases().stream().map(Enum::name).toArray()));
            for (String wanted : new String[] {filter.target(), filter.workflow(), filter.requester()}) {
                statement.setString(at++, wanted);
                statement.setString(at++, wanted);
            }
            statement.setInt(at, page.size() + 1);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(read(row));
                }
            }
        }
        boolean more = found.size() > page.size();
        List<Standing> shown = more ? found.subList(0, page.size()) : found;
        return new Page<>(shown, more ? shown.getLast().execution().id() : null);
    }

    static Standing read(ResultSet row) throws SQLException {
        return new Standing(
                Executions.read(row),
                row.getInt("position"),
                row.getString("progress"),
                row.getString("cancelled_by"),
                Rows.instantOrNull(row, "dead_at"),
                Rows.instant(row, "seen_at"));
    }
}

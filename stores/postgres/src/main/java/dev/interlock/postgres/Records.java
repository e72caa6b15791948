package dev.interlock.postgres;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import dev.interlock.core.Standing;
import dev.interlock.core.Waiter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is read without changing anything. */
final class Records {
    private static final String FIND = "SELECT * FROM interlock.record WHERE name = ?";
    private static final String LIST = """
            SELECT * FROM interlock.record r
             WHERE r.name > ? AND starts_with(r.name, coalesce(?, ''))
               AND r.status = ANY (?)
               AND (?::text IS NULL OR r.owner = ? OR starts_with(r.owner, ? || ':'))
               AND (?::text IS NULL OR r."user" = ?)
               AND (?::text IS NULL OR r.execution = ?)
             ORDER BY r.name LIMIT ?""";
    private static final String WAITERS = """
            SELECT w.*, row_number() OVER (ORDER BY w.ticket) AS position FROM interlock.waiter w
              JOIN interlock.lease e ON e.id = w.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
             WHERE w.name = ? AND w.until > clock_timestamp() ORDER BY w.ticket""";
    private static final String STANDING = """
            SELECT r.*, interlock.ahead(r.name, ?) + 1 AS position,
                   (SELECT extract(epoch FROM avg(h.ended_at - h.began_at)) * 1000000
                      FROM interlock.past(r.name, '{RELEASED}', NULL, NULL, 10) h)::bigint AS usual_micros
              FROM interlock.record r
             WHERE r.name = ? AND EXISTS (SELECT FROM interlock.waiter w JOIN interlock.lease e ON e.id = w.lease
                                           WHERE w.name = r.name AND w.ticket = ? AND e.ended_at IS NULL
                                             AND e.expires_at > clock_timestamp())""";
    private static final String HISTORY = """
            SELECT * FROM interlock.past(?, '{RELEASED,EXPIRED,FORCED,HELD_TOO_LONG,FORCE_ORDERED,REFUSED}', ?, ?, ?)""";

    private Records() {}

    static Optional<Lock> find(Connection connection, LockName name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, name.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(Rows.lock(row)) : Optional.empty();
            }
        }
    }

    static Page<Lock> list(Connection connection, LockFilter filter, Page.Request page) throws SQLException {
        List<Lock> locks = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIST)) {
            statement.setString(1, page.after() == null ? "" : page.after());
            statement.setString(2, filter.prefix());
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "text", filter.statuses().stream().map(Enum::name).toArray()));
            for (int at = 4; at <= 6; at++) {
                statement.setString(at, filter.owner());
            }
            statement.setString(7, filter.user());
            statement.setString(8, filter.user());
            statement.setString(9, filter.execution());
            statement.setString(10, filter.execution());
            statement.setInt(11, page.size() + 1);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    locks.add(Rows.lock(row));
                }
            }
        }
        return page(locks, page.size(), lock -> lock.name().value());
    }

    static List<Waiter> waiters(Connection connection, LockName name) throws SQLException {
        List<Waiter> waiters = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(WAITERS)) {
            statement.setString(1, name.value());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    waiters.add(new Waiter(
                            row.getLong("ticket"),
                            row.getInt("position"),
                            Rows.holder(row),
                            Rows.instant(row, "since"),
                            Rows.instant(row, "until")));
                }
            }
        }
        return waiters;
    }

    static Optional<Standing> standing(Connection connection, LockName name, long ticket) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STANDING)) {
            statement.setLong(1, ticket);
            statement.setString(2, name.value());
            statement.setLong(3, ticket);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                int position = row.getInt("position");
                long usualMicros = row.getLong("usual_micros");
                Duration estimate = row.wasNull()
                        ? null
                        : Duration.ofNanos(usualMicros * 1000).multipliedBy(position);
                return Optional.of(new Standing(position, Rows.lock(row), estimate));
            }
        }
    }

    static Page<Past> history(Connection connection, LockName name, Page.Request page) throws SQLException {
        @Nullable Long token = null;
        @Nullable Long micros = null;
        if (page.after() != null) {
            String[] parts = page.after().split(":", 2);
            token = Long.valueOf(parts[0]);
            micros = Long.valueOf(parts[1]);
        }
        List<Past> entries = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(HISTORY)) {
            statement.setString(1, name.value());
            statement.setObject(2, token, java.sql.Types.BIGINT);
            statement.setObject(3, micros, java.sql.Types.BIGINT);
            statement.setInt(4, page.size() + 1);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    entries.add(past(row));
                }
            }
        }
        return page(entries, page.size(), entry -> entry.token() + ":" + micros(entry));
    }

    private static long micros(Past entry) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, entry.ended());
    }

    private static Past past(ResultSet row) throws SQLException {
        String actor = row.getString("actor");
        String detail = row.getString("detail");
        return new Past(
                Past.Event.valueOf(row.getString("event")),
                row.getLong("token"),
                Rows.holder(row),
                Rows.instant(row, "began_at"),
                Rows.instant(row, "ended_at"),
                actor == null ? detail : actor + ": " + detail);
    }

    private static <T> Page<T> page(List<T> rows, int size, java.util.function.Function<T, String> cursor) {
        if (rows.size() <= size) {
            return new Page<>(rows, null);
        }
        List<T> shown = rows.subList(0, size);
        return new Page<>(shown, cursor.apply(shown.getLast()));
    }
}

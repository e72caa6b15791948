package dev.interlock.postgres;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.ResourceStore.Kept;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads resources, each with its lifecycle. */
final class ResourceRows {
    private static final String COLUMNS = """
            SELECT r.target, r.lifecycle, r.state, r.under, r.registered_at, r.expires_at,
                   r.expires_at - r.registered_at IS NOT DISTINCT FROM ?::interval AS lives_as_long,
                   ARRAY(SELECT e.key FROM jsonb_each_text(r.fields) e ORDER BY e.key) AS keys,
                   ARRAY(SELECT e.value FROM jsonb_each_text(r.fields) e ORDER BY e.key) AS "values"
              FROM interlock.resource r
            """;
    private static final String FIND = COLUMNS + "WHERE r.target = ?";
    private static final String NAMED_ALIKE = COLUMNS + """
              JOIN interlock.lifecycle l ON l.name = r.lifecycle
             WHERE r.lifecycle = ?
               AND r.unique_name = interlock.unique_name(l.unique_fields, l.free_in, l.initial, ?::jsonb)""";
    private static final String LIST = COLUMNS + """
             WHERE r.target > ? AND (?::text IS NULL OR r.lifecycle = ?) AND (?::text IS NULL OR r.state = ?)
             ORDER BY r.target LIMIT ?""";

    /**
     * A resource, and whether it was given the time to live that was asked for.
     */
    record Found(Kept kept, boolean livesAsLong) {}

    /** A row, before it is known what its lifecycle says. */
    private record Row(
            LockName target,
            String lifecycle,
            String state,
            @Nullable String under,
            Map<String, String> fields,
            @Nullable Instant expiresAt,
            Instant registeredAt,
            boolean livesAsLong) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    LockName.of(row.getString("target")),
                    row.getString("lifecycle"),
                    row.getString("state"),
                    row.getString("under"),
                    fieldsOf(row),
                    Rows.instantOrNull(row, "expires_at"),
                    Rows.instant(row, "registered_at"),
                    row.getBoolean("lives_as_long"));
        }

        Found with(Lifecycle declared) {
            Resource resource = new Resource(declared, state, under);
            return new Found(new Kept(target, resource, fields, expiresAt, registeredAt), livesAsLong);
        }
    }

    private interface Binding {
        void to(PreparedStatement statement) throws SQLException;
    }

    private ResourceRows() {}

    static @Nullable Found find(Connection connection, LockName target, @Nullable Duration timeToLive)
            throws SQLException {
        return first(read(connection, FIND, statement -> {
            statement.setString(1, timeToLive == null ? null : timeToLive.toString());
            statement.setString(2, target.value());
        }));
    }

    /** The one that has the name that a new resource with these fields would have. */
    static @Nullable Found namedAlike(Connection connection, String lifecycle, String fields) throws SQLException {
        return first(read(connection, NAMED_ALIKE, statement -> {
            statement.setString(1, null);
            statement.setString(2, lifecycle);
            statement.setString(3, fields);
        }));
    }

    static Page<Kept> list(Connection connection, @Nullable String lifecycle, @Nullable String state, Page.Request page)
            throws SQLException {
        List<Found> found = read(connection, LIST, statement -> {
            statement.setString(1, null);
            statement.setString(2, page.after() == null ? "" : page.after());
            statement.setString(3, lifecycle);
            statement.setString(4, lifecycle);
            statement.setString(5, state);
            statement.setString(6, state);
            statement.setInt(7, page.size() + 1);
        });
        return Rows.page(
                found.stream().map(Found::kept).toList(),
                page.size(),
                kept -> kept.target().value());
    }

    private static @Nullable Found first(List<Found> found) {
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The rows first: what is declared after that still has the state of each, which publishing looks after. */
    private static List<Found> read(Connection connection, String sql, Binding binding) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.to(statement);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    rows.add(Row.of(row));
                }
            }
        }
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<String, Lifecycle> declared = DeclaredRows.read(connection).lifecycles();
        return rows.stream()
                .map(row -> row.with(Objects.requireNonNull(declared.get(row.lifecycle))))
                .toList();
    }

    private static Map<String, String> fieldsOf(ResultSet row) throws SQLException {
        List<String> keys = Rows.texts(row, "keys");
        List<String> values = Rows.texts(row, "values");
        Map<String, String> fields = new HashMap<>();
        for (int at = 0; at < keys.size(); at++) {
            fields.put(keys.get(at), values.get(at));
        }
        return Map.copyOf(fields);
    }
}

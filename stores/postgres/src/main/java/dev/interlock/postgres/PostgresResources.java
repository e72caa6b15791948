package dev.interlock.postgres;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Text;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.ResourceStore;
import dev.interlock.postgres.ResourceRows.Found;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resources in a table; that no two have one name is the table's own rule. */
final class PostgresResources implements ResourceStore {
    /** The row of the lifecycle is taken first, so that nobody publishes another between reading it and obeying it. */
    private static final String REGISTER = """
            WITH declared AS MATERIALIZED (
                SELECT * FROM interlock.lifecycle WHERE name = ? FOR KEY SHARE
            ), born AS (
                INSERT INTO interlock.resource
                       (target, lifecycle, state, fields, unique_name, registered_by, registered_at, expires_at)
                SELECT ?, l.name, l.initial, f.fields,
                       interlock.unique_name(l.unique_fields, l.free_in, l.initial, f.fields), ?, c.now, c.now + ?::interval
                  FROM declared l CROSS JOIN (SELECT ?::jsonb AS fields) f
                 CROSS JOIN LATERAL (SELECT clock_timestamp() AS now WHERE l.name IS NOT NULL OFFSET 0) c
                 WHERE l.unique_fields IS NULL OR f.fields ??& l.unique_fields
                    ON CONFLICT DO NOTHING
                RETURNING target, state, registered_by, registered_at
            )
            INSERT INTO interlock.history
                   (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail, state)
            SELECT target, 0, 'REGISTERED', '', 0, '', registered_by, registered_at, registered_at, registered_by, ?, state
              FROM born""";

    private final Connections connections;

    PostgresResources(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Registration register(
            LockName target, String lifecycle, Map<String, String> fields, @Nullable Duration timeToLive, String by) {
        check(fields);
        while (true) {
            Registration answer = connections.with(connection -> {
                boolean born = insert(connection, target, lifecycle, fields, timeToLive, by);
                return answer(connection, born, target, lifecycle, fields, timeToLive);
            });
            if (answer != null) {
                return answer;
            }
        }
    }

    private static void check(Map<String, String> fields) {
        if (fields.size() > MOST_FIELDS) {
            throw new IllegalArgumentException(
                    "A resource has at most " + MOST_FIELDS + " fields, not " + fields.size() + ".");
        }
        fields.forEach((name, value) -> {
            String fault = LockName.faultOf("The name of a field", name);
            if (fault != null) {
                throw new IllegalArgumentException(fault);
            }
            Text.checkLine("Field '" + name + "'", value, LONGEST_FIELD);
        });
    }

    private static boolean insert(
            Connection connection,
            LockName target,
            String lifecycle,
            Map<String, String> fields,
            @Nullable Duration timeToLive,
            String by)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REGISTER)) {
            statement.setString(1, lifecycle);
            statement.setString(2, target.value());
            statement.setString(3, by);
            statement.setString(4, timeToLive == null ? null : timeToLive.toString());
            statement.setString(5, Json.object(fields));
            statement.setString(6, "Registered with lifecycle '" + lifecycle + "'.");
            return statement.executeUpdate() == 1;
        }
    }

    /** Null when whatever stood in the way has gone meanwhile. */
    private static @Nullable Registration answer(
            Connection connection,
            boolean born,
            LockName target,
            String lifecycle,
            Map<String, String> fields,
            @Nullable Duration timeToLive)
            throws SQLException {
        Found here = ResourceRows.find(connection, target, timeToLive);
        if (here != null) {
            return born ? new Registration.Registered(here.kept()) : again(here, lifecycle, fields);
        }
        Map<String, Lifecycle> declared = DeclaredRows.read(connection).lifecycles();
        Lifecycle known = declared.get(lifecycle);
        if (known == null) {
            return new Registration.UnknownLifecycle(
                    lifecycle, declared.keySet().stream().sorted().toList());
        }
        List<String> missing = missing(known, fields);
        if (!missing.isEmpty()) {
            return new Registration.MissingFields(lifecycle, missing);
        }
        Found alike = ResourceRows.namedAlike(connection, lifecycle, Json.object(fields));
        return alike == null ? null : new Registration.NameTaken(alike.kept());
    }

    private static Registration again(Found here, String lifecycle, Map<String, String> fields) {
        Kept kept = here.kept();
        boolean same = here.livesAsLong()
                && kept.resource().lifecycle().name().equals(lifecycle)
                && kept.fields().equals(fields);
        return same ? new Registration.Repeated(kept) : new Registration.Different(kept);
    }

    private static List<String> missing(Lifecycle lifecycle, Map<String, String> fields) {
        Unique unique = lifecycle.declaration().unique();
        return unique == null
                ? List.of()
                : unique.fields().stream()
                        .map(Word::text)
                        .filter(field -> !fields.containsKey(field))
                        .toList();
    }

    @Override
    public Optional<Kept> find(LockName target) {
        return connections.with(connection ->
                Optional.ofNullable(ResourceRows.find(connection, target, null)).map(Found::kept));
    }

    @Override
    public Page<Kept> list(@Nullable String lifecycle, @Nullable String state, Page.Request page) {
        return connections.with(connection -> ResourceRows.list(connection, lifecycle, state, page));
    }
}

package dev.interlock.postgres;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resources whose state moves with the phases of an execution. */
final class Holdings {
    private static final String FIND = "SELECT * FROM interlock.resource WHERE target = ?";
    private static final String TAKE = FIND + " FOR UPDATE";
    private static final String NAMESAKE =
            "SELECT target FROM interlock.resource WHERE lifecycle = ? AND unique_name = ?";
    private static final String MOVE =
            "UPDATE interlock.resource SET state = ?, under = ?, unique_name = ? WHERE target = ?";

    private final String target;
    private final Map<String, String> fields;
    private final Resource resource;

    private Holdings(String target, Map<String, String> fields, Resource resource) {
        this.target = target;
        this.fields = fields;
        this.resource = resource;
    }

    /** Null when the target is no resource. */
    static @Nullable Resource find(Connection connection, String target, Catalogue catalogue) throws SQLException {
        Holdings found = look(connection, target, catalogue);
        return found == null ? null : found.resource;
    }

    /** Its row is anybody's; null when the target is no resource. */
    static @Nullable Holdings look(Connection connection, String target, Catalogue catalogue) throws SQLException {
        return read(connection, FIND, target, catalogue);
    }

    /** Its row is ours from now on; null when the target is no resource. */
    static @Nullable Holdings take(Connection connection, String target, Catalogue catalogue) throws SQLException {
        return read(connection, TAKE, target, catalogue);
    }

    private static @Nullable Holdings read(Connection connection, String sql, String target, Catalogue catalogue)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, target);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                Lifecycle lifecycle = catalogue.lifecycles().get(row.getString("lifecycle"));
                if (lifecycle == null) {
                    throw new SQLException("lifecycle '" + row.getString("lifecycle") + "' is not declared", "IL005");
                }
                return new Holdings(
                        target,
                        JsonReader.strings(row.getString("fields")),
                        new Resource(lifecycle, row.getString("state"), row.getString("under")));
            }
        }
    }

    Resource resource() {
        return resource;
    }

    /** The resource that has the name which this one would take by beginning the workflow. */
    @Nullable String namesake(Connection connection, String workflow) throws SQLException {
        List<String> name = resource.nameTakenBy(workflow, fields);
        if (name == null) {
            return null;
        }
        try (PreparedStatement statement = connection.prepareStatement(NAMESAKE)) {
            statement.setString(1, resource.lifecycle().name());
            statement.setArray(2, connection.createArrayOf("text", name.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString("target") : null;
            }
        }
    }

    /** What it will be when the execution has begun; {@link #begin} makes it so. */
    Resource begun(Execution execution) {
        return resource.begin(execution.request().workflow(), execution.id())
                        instanceof Resource.Change.Changed(Resource moved)
                ? moved
                : resource;
    }

    void begin(Connection connection, Execution execution) throws SQLException {
        move(connection, resource.begin(execution.request().workflow(), execution.id()));
    }

    /** To where the end of the execution leads; a resource that is not in its hands stays as it is. */
    Resource end(Connection connection, Execution execution, boolean succeeded) throws SQLException {
        if (!execution.id().equals(resource.under())
                || resource.lifecycle().step(execution.request().workflow()) == null) {
            return resource;
        }
        String workflow = execution.request().workflow();
        return move(
                connection,
                succeeded ? resource.succeed(workflow, execution.id()) : resource.fail(workflow, execution.id()));
    }

    private Resource move(Connection connection, Resource.Change change) throws SQLException {
        if (!(change instanceof Resource.Change.Changed(Resource moved))) {
            return resource;
        }
        List<String> name = moved.lifecycle().uniqueName(moved.state(), fields);
        Array unique = name == null ? null : connection.createArrayOf("text", name.toArray());
        try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
            statement.setString(1, moved.state());
            statement.setString(2, moved.under());
            statement.setArray(3, unique);
            statement.setString(4, target);
            statement.executeUpdate();
        }
        return moved;
    }
}

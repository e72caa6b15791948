package dev.interlock.postgres;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.CatalogueStore;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Declarations in the tables lifecycle and workflow. Publishers come one after the other. */
final class PostgresCatalogue implements CatalogueStore {
    private static final String TAKE_TURN = "SELECT FROM interlock.store FOR UPDATE";
    private static final String TAKE_LIFECYCLES =
            "SELECT FROM interlock.lifecycle WHERE name = ANY (?) ORDER BY name FOR UPDATE";
    private static final String COUNT_UP = "UPDATE interlock.store SET catalogue = catalogue + 1";

    private final Connections connections;

    PostgresCatalogue(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Catalogue catalogue() {
        return connections.with(DeclaredRows::read);
    }

    @Override
    public Publication publish(Catalogue declared, String by) {
        return connections.with(connection -> Transactions.on(connection, within -> publish(within, declared, by)));
    }

    private static Publication publish(Connection connection, Catalogue declared, String by) throws SQLException {
        execute(connection, TAKE_TURN);
        Catalogue before = DeclaredRows.read(connection);
        List<Lifecycle> lifecycles = changedLifecycles(before, declared);
        take(connection, lifecycles);
        for (Lifecycle lifecycle : lifecycles) {
            Publication refusal = Publishing.refusal(connection, lifecycle);
            if (refusal != null) {
                return refusal;
            }
        }
        Publishing publishing = new Publishing(connection, by);
        for (Lifecycle lifecycle : lifecycles) {
            publishing.write(lifecycle, before.lifecycles().get(lifecycle.name()));
        }
        for (Workflow workflow : changedWorkflows(before, declared)) {
            publishing.write(workflow, before.workflows().containsKey(workflow.name()));
        }
        if (!publishing.changes().isEmpty()) {
            execute(connection, COUNT_UP);
        }
        return new Publication.Published(publishing.changes());
    }

    private static List<Lifecycle> changedLifecycles(Catalogue before, Catalogue declared) {
        return declared.lifecycles().values().stream()
                .filter(lifecycle -> !isSame(before.lifecycles().get(lifecycle.name()), lifecycle))
                .sorted(Comparator.comparing(Lifecycle::name))
                .toList();
    }

    private static boolean isSame(@Nullable Lifecycle one, Lifecycle other) {
        return one != null && one.declaration().equals(other.declaration().withoutLines());
    }

    private static List<Workflow> changedWorkflows(Catalogue before, Catalogue declared) {
        return declared.workflows().values().stream()
                .filter(workflow -> !Objects.equals(before.workflows().get(workflow.name()), workflow))
                .sorted(Comparator.comparing(Workflow::name))
                .toList();
    }

    private static void take(Connection connection, List<Lifecycle> lifecycles) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE_LIFECYCLES)) {
            Parameters.text(statement, 1, lifecycles, Lifecycle::name);
            statement.execute();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}

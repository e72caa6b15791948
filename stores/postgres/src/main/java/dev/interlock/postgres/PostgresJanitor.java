package dev.interlock.postgres;

import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Sight;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.CatalogueStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Keeps a database in order: each act is one transaction that looks at everything again once the rows are its own. */
public final class PostgresJanitor implements JanitorStore {
    static final String ACTOR = "janitor";

    private static final Duration FOR_INSPECTION = Duration.ofMinutes(1);

    private static final String TAKE = "SELECT token FROM interlock.lock WHERE name = ? FOR UPDATE";

    private final Connections connections;
    private final PostgresExecutionStore executions;
    private final Declarations declarations;

    /**
     * Of the database that has these locks and executions.
     *
     * @param catalogue what is declared there
     */
    public PostgresJanitor(PostgresLockStore locks, PostgresExecutionStore executions, CatalogueStore catalogue) {
        this.connections = locks.connections();
        this.executions = executions;
        this.declarations = new Declarations(catalogue);
    }

    @Override
    public Sight look(Patience patience, int most) {
        return connections.with(connection -> Looking.look(connection, patience, most));
    }

    @Override
    public List<Finding> inspect(Patience patience, Duration back, int most) {
        return connections.with(FOR_INSPECTION, connection -> Looking.inspect(connection, patience, back, most));
    }

    @Override
    public Deed act(Finding finding, Patience patience) {
        return connections.with(connection -> {
            Catalogue catalogue = declarations.current(connection).catalogue();
            return Transactions.on(connection, one -> act(one, finding, patience, catalogue));
        });
    }

    private Deed act(Connection connection, Finding finding, Patience patience, Catalogue catalogue)
            throws SQLException {
        TakingOver takingOver = new TakingOver(connection, catalogue, patience);
        Tidying tidying = new Tidying(connection, patience);
        return switch (finding) {
            case Finding.ExpiredAttempt expired -> takingOver.close(expired);
            case Finding.LockStateLost lost -> takingOver.close(lost);
            case Finding.OrphanedLock orphan -> tidying.order(orphan);
            case Finding.Stranded stranded -> tidying.unpark(stranded);
            case Finding.GoneWaiters gone -> tidying.remove(gone);
            case Finding.GoneWorker gone -> tidying.remove(gone);
            case Finding.Overdue overdue -> tidying.cancel(overdue, catalogue);
            case Finding.RunningLong running -> tidying.tell(running);
            case Finding.DeadLetterOld old -> tidying.tell(old);
            case Finding.DeadLetterSpent spent -> tidying.purge(spent);
            case Finding.ResourceExpired expired -> tidying.destroy(expired, executions);
            case Finding.OverlappingGrants overlap -> tidying.freeze(overlap);
        };
    }

    /** The row of the target's lock is ours from now on, if there is one. */
    static void take(Connection connection, String target) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
            statement.setString(1, target);
            statement.execute();
        }
    }
}

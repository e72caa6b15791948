package dev.interlock.postgres;

import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.StillTrail;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** One transaction on a connection of its own. It is given no number, so that it holds no seal back. */
final class PostgresStillTrail implements StillTrail {
    private static final String BEGIN = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

    /** The first query chooses the moment. */
    private static final String NOW = "SELECT FROM interlock.store";

    private final Connection connection;

    private PostgresStillTrail(Connection connection) {
        this.connection = connection;
    }

    static PostgresStillTrail open(DataSource source) {
        try {
            PostgresStillTrail still = new PostgresStillTrail(source.getConnection());
            still.read(still::begin);
            return still;
        } catch (SQLException e) {
            throw Failures.translate(e);
        }
    }

    private @Nullable Void begin(Connection fresh) throws SQLException {
        // Behind a pooler the name of a statement may mean another's.
        fresh.unwrap(PGConnection.class).setPrepareThreshold(0);
        fresh.setAutoCommit(false);
        try (PreparedStatement begin = fresh.prepareStatement(BEGIN);
                PreparedStatement now = fresh.prepareStatement(NOW)) {
            begin.execute();
            now.execute();
        }
        return null;
    }

    @Override
    public List<Seal> seals(long after, int most) {
        return read(on -> Trail.seals(on, after, most));
    }

    @Override
    public List<Event> under(Seal seal) {
        return read(on -> Trail.under(on, seal));
    }

    @Override
    public void unsealed(Consumer<Event> each) {
        read(on -> {
            Trail.unsealed(on, each);
            return null;
        });
    }

    private <T extends @Nullable Object> T read(Connections.Work<T> work) {
        try {
            return work.on(connection);
        } catch (SQLException e) {
            close();
            throw Failures.translate(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // It has changed nothing, and the server forgets it.
        }
    }
}

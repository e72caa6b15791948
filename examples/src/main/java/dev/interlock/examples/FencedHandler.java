package dev.interlock.examples;

import dev.interlock.engine.Handler;
import dev.interlock.engine.Permanent;
import dev.interlock.engine.Transient;
import dev.interlock.engine.Work;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The handler of a workflow that deploys a version of a service: idempotent, since it looks first, and fenced, since its
 * write is refused when its attempt has been superseded.
 */
public final class FencedHandler implements Handler {
    private final DataSource dataSource;

    public FencedHandler(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public void run(Work work) throws Exception {
        String version = work.parameters().get("version");
        if (version == null) {
            throw new Permanent("NO_VERSION", "The parameter 'version' is missing.");
        }
        try (Connection connection = dataSource.getConnection()) {
            if (version.equals(deployed(connection, work.target().value()))) {
                return; // an attempt before this one did it, and died before it could say so
            }
            work.progress("deploying " + version);
            work.requireAtLeast(Duration.ofSeconds(5));
            deploy(connection, work, version);
        } catch (SQLTransientException e) {
            throw new Transient("DATABASE_AWAY", "The database could not be reached.", e);
        }
    }

    private static String deployed(Connection connection, String service) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT coalesce(max(version), '') FROM deployment WHERE service = ?")) {
            query.setString(1, service);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    /** The fence and the write are one transaction. */
    private static void deploy(Connection connection, Work work, String version) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement fence = connection.prepareStatement("SELECT interlock.fence(?, ?)");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE deployment SET version = ? WHERE service = ?")) {
            fence.setString(1, work.target().value());
            fence.setLong(2, work.token());
            fence.execute();
            update.setString(1, version);
            update.setString(2, work.target().value());
            update.executeUpdate();
            connection.commit();
        }
    }
}

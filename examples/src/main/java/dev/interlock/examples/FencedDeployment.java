package dev.interlock.examples;

import dev.interlock.core.HeldLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Data that lies beside the locks, in the same PostgreSQL, guarded by the token: whoever has lost its lock, and may not
 * know it yet, cannot write any more.
 */
public final class FencedDeployment {
    private final DataSource dataSource;

    public FencedDeployment(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Writes while the lock is held.
     *
     * @throws SQLException with SQLSTATE IL003 if the token is not that of the present holder
     */
    public void deploy(String service, String version, HeldLock lock) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement fence = connection.prepareStatement("SELECT interlock.fence(?, ?)");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE deployment SET version = ? WHERE service = ?")) {
            connection.setAutoCommit(false);
            fence.setString(1, lock.name().value());
            fence.setLong(2, lock.token());
            fence.execute();
            update.setString(1, version);
            update.setString(2, service);
            update.executeUpdate();
            connection.commit();
        }
    }
}

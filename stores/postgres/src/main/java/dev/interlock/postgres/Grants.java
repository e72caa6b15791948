package dev.interlock.postgres;

import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this process was granted and has not given back. A hand-over is not waited for on disk: after a crash of the
 * server every process says what it holds, before it believes a renewal.
 */
final class Grants {
    private static final String CONFIRM = "SELECT * FROM interlock.confirm(?, ?, ?)";
    private static final long UNKNOWN = -1;

    private final Map<LockName, Lock> held = new ConcurrentHashMap<>();
    private volatile boolean anyHandedOver;

    /** Since which crash the store knows what we hold. */
    private volatile long confirmed = UNKNOWN;

    void granted(Lock lock) {
        held.merge(lock.name(), lock, (one, other) -> one.token() > other.token() ? one : other);
    }

    void handedOver(Lock lock) {
        anyHandedOver = true;
        granted(lock);
    }

    void givenBack(Lock lock) {
        held.computeIfPresent(lock.name(), (name, known) -> known.token() <= lock.token() ? null : known);
    }

    void ended(UUID lease) {
        held.values().removeIf(lock -> lock.grant().lease().equals(lease));
    }

    /**
     * Called with each renewal: says what we hold if the server has crashed since.
     *
     * @param unbroken changes with each crash
     * @return what the store has given to others, or has never heard of
     */
    List<LeaseRenewal.Taken> confirmAfterCrash(Connection connection, long unbroken) throws SQLException {
        boolean hasCrashed = confirmed == UNKNOWN ? anyHandedOver : confirmed != unbroken;
        List<LeaseRenewal.Taken> taken = hasCrashed ? confirm(connection) : List.of();
        confirmed = unbroken;
        return taken;
    }

    List<LeaseRenewal.Taken> confirm(Connection connection) throws SQLException {
        List<Lock> all = List.copyOf(held.values());
        if (all.isEmpty()) {
            return List.of();
        }
        List<LeaseRenewal.Taken> taken = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(CONFIRM)) {
            Parameters.text(statement, 1, all, lock -> lock.name().value());
            Parameters.longs(statement, 2, all, Lock::token);
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "uuid",
                            all.stream().map(lock -> lock.grant().lease()).toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Loss loss = Rows.loss(row.getString("cause"), row.getString("actor"), row.getString("reason"));
                    // Given back while we asked.
                    if (loss != Loss.Cause.ALREADY_RELEASED) {
                        taken.add(
                                new LeaseRenewal.Taken(LockName.of(row.getString("name")), row.getLong("token"), loss));
                    }
                }
            }
        }
        return taken;
    }
}

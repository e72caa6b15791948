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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What this process was granted and has not given back. A hand-over is not waited for on disk: after a crash of the
 * server every process says what it holds, before it believes a renewal.
 */
final class Grants {
    private static final String CONFIRM = "SELECT * FROM interlock.confirm(?, ?, ?)";

    private final Map<LockName, Lock> held = new ConcurrentHashMap<>();
    private volatile boolean anyHandedOver;

    /** For each lease, since which crash the store knows what we hold. */
    private final Map<UUID, Long> confirmed = new ConcurrentHashMap<>();

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

    boolean holds(Lock lock) {
        Lock known = held.get(lock.name());
        return known != null && known.token() == lock.token();
    }

    void ended(UUID lease) {
        confirmed.remove(lease);
        held.values().removeIf(lock -> lock.grant().lease().equals(lease));
    }

    /**
     * Called with each renewal of leases: says what we hold on them if the server has crashed since.
     *
     * @param unbroken changes with each crash
     * @return what the store has given to others, or has never heard of
     */
    List<LeaseRenewal.Taken> confirmAfterCrash(Connection connection, Set<UUID> leases, long unbroken)
            throws SQLException {
        Set<UUID> unsure = new HashSet<>(leases);
        unsure.removeIf(lease -> confirmed.getOrDefault(lease, anyHandedOver ? -1 : unbroken) == unbroken);
        List<LeaseRenewal.Taken> taken = unsure.isEmpty() ? List.of() : confirm(connection, unsure::contains);
        leases.forEach(lease -> confirmed.put(lease, unbroken));
        return taken;
    }

    List<LeaseRenewal.Taken> confirm(Connection connection, Predicate<UUID> lease) throws SQLException {
        List<Lock> all = held.values().stream()
                .filter(lock -> lease.test(lock.grant().lease()))
                .toList();
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

package dev.interlock.postgres;

import dev.interlock.core.Ask;
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
import org.jspecify.annotations.Nullable;

/**
 * What this process was granted and has not given back. A hand-over is not waited for on disk: after a crash of the
 * server every process says what it holds, before it believes a renewal.
 */
final class Grants {
    private static final String CONFIRM = "SELECT * FROM interlock.confirm(?, ?, ?, ?)";

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

    /** What the same holder has on the same lease. */
    @Nullable Lock of(Ask ask) {
        Lock lock = held.get(ask.name());
        return lock != null
                        && lock.grant().lease().equals(ask.lease().id())
                        && lock.grant().holder().equals(ask.holder())
                ? lock
                : null;
    }

    private boolean holds(LockName name, long token) {
        Lock lock = held.get(name);
        return lock != null && lock.token() == token;
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
        List<LeaseRenewal.Taken> taken = unsure.isEmpty()
                ? List.of()
                : confirm(connection, lock -> unsure.contains(lock.grant().lease()), false);
        leases.forEach(lease -> confirmed.put(lease, unbroken));
        return taken;
    }

    /**
     * @param markAll also where nobody else can have got it
     */
    List<LeaseRenewal.Taken> confirm(Connection connection, Predicate<Lock> which, boolean markAll)
            throws SQLException {
        List<Lock> all = held.values().stream().filter(which).toList();
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
            statement.setBoolean(4, markAll);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Loss loss = Rows.loss(row.getString("cause"), row.getString("actor"), row.getString("reason"));
                    LockName name = LockName.of(row.getString("name"));
                    long token = row.getLong("token");
                    // Unless it was given back while we asked.
                    if (holds(name, token)) {
                        taken.add(new LeaseRenewal.Taken(name, token, loss));
                    }
                }
            }
        }
        return taken;
    }
}

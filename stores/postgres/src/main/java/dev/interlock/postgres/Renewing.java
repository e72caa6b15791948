package dev.interlock.postgres;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Renewal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongConsumer;

/** The statements that renew: one for all that a process holds, and one for a single lock of somebody else's. */
final class Renewing {
    private static final String RENEW = "SELECT * FROM interlock.renew(?)";
    private static final String RENEW_LOCK = "SELECT * FROM interlock.renew_lock(?, ?, ?)";

    private final Connections connections;
    private final Leases leases;
    private final Grants grants;
    private final LongConsumer unbroken;

    /**
     * @param unbroken told what changes when the server has crashed
     */
    Renewing(Connections connections, Leases leases, Grants grants, LongConsumer unbroken) {
        this.connections = connections;
        this.leases = leases;
        this.grants = grants;
        this.unbroken = unbroken;
    }

    Renewal one(Lock lock) {
        return connections.with(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RENEW_LOCK)) {
                statement.setString(1, lock.name().value());
                statement.setLong(2, lock.token());
                statement.setObject(3, lock.grant().lease());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    String outcome = row.getString("outcome");
                    Lock current = Records.find(connection, lock.name()).orElse(null);
                    return outcome.equals("RENEWED") && current != null
                            ? new Renewal.Renewed(current)
                            : new Lost(Rows.loss(outcome, row.getString("actor"), row.getString("reason")), current);
                }
            }
        });
    }

    List<LeaseRenewal> all(List<Lease> all) {
        // Shorter than a third of the shortest lease, so that a renewal that hangs leaves time for another.
        Duration patience = all.stream()
                .map(Lease::duration)
                .min(Duration::compareTo)
                .map(shortest -> shortest.dividedBy(4))
                .filter(part -> part.compareTo(Connections.PATIENCE) < 0)
                .orElse(Connections.PATIENCE);
        return connections.with(patience, connection -> {
            Map<UUID, LeaseRenewal> answers = new HashMap<>();
            OptionalLong seen = OptionalLong.empty();
            try (PreparedStatement statement = connection.prepareStatement(RENEW)) {
                statement.setArray(
                        1,
                        connection.createArrayOf(
                                "uuid", all.stream().map(Lease::id).toArray()));
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        UUID id = row.getObject("id", UUID.class);
                        Lease lease = all.stream()
                                .filter(l -> l.id().equals(id))
                                .findFirst()
                                .orElseThrow();
                        answers.merge(id, renewal(lease, row), Renewing::both);
                        seen = OptionalLong.of(row.getLong("unbroken"));
                    }
                }
            }
            // Told before we say what we hold, so that nothing that is handed to us meanwhile is missed: see handed.
            seen.ifPresent(unbroken);
            List<LeaseRenewal.Taken> lost = seen.isPresent()
                    ? grants.confirmAfterCrash(connection, answers.keySet(), seen.getAsLong())
                    : List.of();
            return all.stream()
                    .map(lease -> answers.getOrDefault(lease.id(), new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN)))
                    .map(renewal -> without(lost, renewal))
                    .toList();
        });
    }

    private LeaseRenewal renewal(Lease lease, ResultSet row) throws SQLException {
        String ended = row.getString("ended");
        if (ended != null) {
            leases.ended(lease.id());
            grants.ended(lease.id());
            return new LeaseRenewal.Ended(lease, Loss.Cause.valueOf(ended));
        }
        var expiresAt = Rows.instant(row, "expires_at");
        leases.seen(lease.id(), new Leases.Times(Rows.instant(row, "renewed_at"), expiresAt));
        String name = row.getString("name");
        List<LeaseRenewal.Taken> taken = name == null
                ? List.of()
                : List.of(new LeaseRenewal.Taken(
                        LockName.of(name),
                        row.getLong("token"),
                        Rows.loss(row.getString("cause"), row.getString("actor"), row.getString("reason"))));
        return new LeaseRenewal.Renewed(lease, expiresAt, taken);
    }

    /** A lease with several notices comes in several rows. */
    private static LeaseRenewal both(LeaseRenewal one, LeaseRenewal other) {
        if (one instanceof LeaseRenewal.Renewed a && other instanceof LeaseRenewal.Renewed b) {
            List<LeaseRenewal.Taken> taken = new ArrayList<>(a.taken());
            taken.addAll(b.taken());
            return new LeaseRenewal.Renewed(a.lease(), a.expiresAt(), taken);
        }
        return one;
    }

    private static LeaseRenewal without(List<LeaseRenewal.Taken> lost, LeaseRenewal renewal) {
        return lost.isEmpty() || !(renewal instanceof LeaseRenewal.Renewed(var lease, var expiresAt, var taken))
                ? renewal
                : both(renewal, new LeaseRenewal.Renewed(lease, expiresAt, lost));
    }
}

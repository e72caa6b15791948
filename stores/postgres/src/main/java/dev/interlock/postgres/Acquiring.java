package dev.interlock.postgres;

import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.Terms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The statement that asks for locks: one for all requests that travel together. The function that it calls answers every
 * case; what {@link PlainAcquiring} can do without it does not get here.
 */
final class Acquiring {
    private static final String ACQUIRE = """
            SELECT * FROM interlock.acquire(?, ?, ?, ?, ?, ?, ?::text[]::jsonb[], ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String ACQUIRE_ALL = """
            SELECT * FROM interlock.acquire_all(?, ?, ?, ?, ?, ?, ?::text[]::jsonb[], ?, ?, ?, ?, ?, ?)""";

    /**
     * The order in which rows are locked, so that batches cannot deadlock. Written out, since Comparator.comparing would
     * cost every command 15 ms: no cache holds the class behind it.
     */
    private static final Comparator<LockRequest> BY_NAME =
            (one, other) -> one.ask.name().compareTo(other.ask.name());

    private final Leases leases;
    private final String channel;
    private final PlainAcquiring plain;
    private final BooleanSupplier ownSessions;

    /**
     * @param isContended whether asking for a free lock would most likely be in vain
     * @param ownSessions whether sessions keep the settings of {@link Connections}, without which a statement outside
     *     of a function may take the rows in any order
     */
    Acquiring(Leases leases, String channel, Predicate<LockName> isContended, BooleanSupplier ownSessions) {
        this.leases = leases;
        this.channel = channel;
        this.plain = new PlainAcquiring(leases, isContended);
        this.ownSessions = ownSessions;
    }

    void together(Connection connection, List<LockRequest> batch) throws SQLException {
        batch.sort(BY_NAME);
        if (ownSessions.getAsBoolean()) {
            plain.together(connection, batch);
        }
        List<LockRequest> rest =
                batch.stream().filter(request -> request.outcome.isEmpty()).toList();
        if (!rest.isEmpty()) {
            askFunction(connection, rest);
        }
    }

    private void askFunction(Connection connection, List<LockRequest> batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ACQUIRE)) {
            int at = bindAsks(connection, statement, batch);
            statement.setArray(at++, connection.createArrayOf("boolean", firsts(batch)));
            bind(connection, statement, at++, "bigint", batch, r -> r.wait == null ? null : micros(r.wait));
            bind(connection, statement, at++, "int", batch, r -> r.queueLimit);
            bind(connection, statement, at++, "bigint", batch, r -> r.formerTicket);
            bindLeases(connection, statement, at, batch);
            read(statement, batch);
        }
    }

    /** All or none; whether they were granted shows in the outcome of each. */
    void all(Connection connection, List<LockRequest> batch) throws SQLException {
        List<LockRequest> sorted = new ArrayList<>(batch);
        sorted.sort(BY_NAME);
        try (PreparedStatement statement = connection.prepareStatement(ACQUIRE_ALL)) {
            bindLeases(connection, statement, bindAsks(connection, statement, sorted), sorted);
            read(statement, sorted);
        }
    }

    /** Whether a request is the first for its name in the sorted batch; a statement grants a name only once. */
    private static Boolean[] firsts(List<LockRequest> batch) {
        Boolean[] first = new Boolean[batch.size()];
        for (int i = 0; i < first.length; i++) {
            first[i] = isFirst(batch, i);
        }
        return first;
    }

    static boolean isFirst(List<LockRequest> sorted, int i) {
        return i == 0 || !sorted.get(i).ask.name().equals(sorted.get(i - 1).ask.name());
    }

    private static int bindAsks(Connection connection, PreparedStatement statement, List<LockRequest> batch)
            throws SQLException {
        bind(connection, statement, 1, "text", batch, r -> r.ask.name().value());
        bind(connection, statement, 2, "uuid", batch, r -> r.ask.lease().id());
        bind(connection, statement, 3, "text", batch, r -> r.ask.holder().execution());
        bind(connection, statement, 4, "int", batch, r -> r.ask.holder().attempt());
        bind(connection, statement, 5, "text", batch, r -> r.ask.holder().owner());
        bind(connection, statement, 6, "text", batch, r -> r.ask.holder().user());
        if (batch.stream().allMatch(r -> r.ask.terms().isPlain())) {
            statement.setNull(7, Types.ARRAY);
        } else {
            bind(connection, statement, 7, "text", batch, r -> json(r.ask.terms()));
        }
        return 8;
    }

    private void bindLeases(Connection connection, PreparedStatement statement, int at, List<LockRequest> batch)
            throws SQLException {
        Map<UUID, Lease> known = new LinkedHashMap<>();
        Map<UUID, Lease> open = new LinkedHashMap<>();
        for (LockRequest request : batch) {
            Lease lease = request.ask.lease();
            (leases.isKnown(lease) ? known : open).put(lease.id(), lease);
        }
        List<Lease> opened = List.copyOf(open.values());
        statement.setArray(at, connection.createArrayOf("uuid", known.keySet().toArray()));
        bind(connection, statement, at + 1, "uuid", opened, Lease::id);
        bind(connection, statement, at + 2, "text", opened, Lease::owner);
        bind(connection, statement, at + 3, "text", opened, Lease::user);
        bind(connection, statement, at + 4, "bigint", opened, lease -> micros(lease.duration()));
        statement.setString(at + 5, channel);
    }

    private static <T> void bind(
            Connection connection,
            PreparedStatement statement,
            int at,
            String type,
            List<T> items,
            Function<T, @Nullable Object> value)
            throws SQLException {
        @Nullable Object[] values = new @Nullable Object[items.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(items.get(i));
        }
        statement.setArray(at, connection.createArrayOf(type, values));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    /** Null for plain terms, which the store need not look at. */
    private static @Nullable String json(Terms terms) {
        if (terms.isPlain()) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        if (!terms.lockDelay().isZero()) {
            fields.put("lockDelay", terms.lockDelay().toString());
        }
        if (!terms.cooldown().isZero()) {
            fields.put("cooldown", terms.cooldown().toString());
        }
        if (terms.maxHold() != null) {
            fields.put("maxHold", terms.maxHold().toString());
        }
        if (terms.maintenance() != null) {
            fields.put("reason", terms.maintenance().reason());
            if (terms.maintenance().ticket() != null) {
                fields.put("ticket", terms.maintenance().ticket());
            }
        }
        return Json.object(fields);
    }

    private void read(PreparedStatement statement, List<LockRequest> batch) throws SQLException {
        Map<String, Granted> grantedByName = new HashMap<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String outcome = row.getString("outcome");
                int n = row.getInt("n");
                if (outcome.equals("LEASE")) {
                    leases.seen(
                            row.getObject("lease", UUID.class),
                            new Leases.Times(Rows.instant(row, "renewed_at"), Rows.instant(row, "expires_at")));
                } else if (n == 0) {
                    grantedByName.put(
                            row.getString("name"),
                            new Granted(
                                    row.getLong("token"),
                                    row.getObject("lease", UUID.class),
                                    Rows.instant(row, "acquired_at"),
                                    Rows.instantOrNull(row, "expires_at"),
                                    0));
                } else {
                    batch.get(n - 1).answered(outcome, row, leases);
                }
            }
        }
        if (!grantedByName.isEmpty()) {
            for (LockRequest request : batch) {
                if (request.outcome.isEmpty()) {
                    Granted granted = grantedByName.remove(request.ask.name().value());
                    if (granted != null) {
                        request.granted(granted, leases);
                    }
                }
            }
        }
    }
}

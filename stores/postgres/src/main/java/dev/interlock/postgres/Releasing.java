package dev.interlock.postgres;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The statement that gives locks back: one for all releases that travel together. */
final class Releasing {
    private static final String RELEASE = "SELECT * FROM interlock.release(?, ?, ?, ?, ?)";

    /** The plain case of a lone release. When it answers nothing, the function finds out why. */
    private static final String RELEASE_PLAIN = """
            WITH freed AS (
                UPDATE interlock.lock k
                   SET held = false, ending = 'RELEASED', ended_at = clock_timestamp(), closed_until = clock_timestamp() + k.cooldown
                 WHERE k.name = ? AND k.token = ? AND k.lease = ? AND k.held AND NOT k.queued
                   AND k.forced_by IS NULL AND k.ends_at IS NULL
                   AND EXISTS (SELECT FROM interlock.lease e
                                WHERE e.id = k.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp())
                RETURNING k.*
            ), past AS (
                INSERT INTO interlock.history
                SELECT f.name, f.token, 'RELEASED', f.execution, f.attempt, f.owner, f."user", f.acquired_at, f.ended_at
                  FROM freed f
            )
            SELECT set_config('synchronous_commit', 'off', true) FROM freed""";

    static final class Request extends Coalescer.Request {
        final LockName name;
        final long token;
        final UUID lease;
        /** Somebody waited for it when it was granted. */
        final boolean queued;

        @Nullable Loss loss;

        Request(Lock lock) {
            name = lock.name();
            token = lock.token();
            lease = lock.grant().lease();
            queued = lock.waiting() > 0;
        }
    }

    private final String channel;
    private final Predicate<LockName> isContended;

    /** @param isContended whether somebody of this process waits for the lock */
    Releasing(String channel, Predicate<LockName> isContended) {
        this.channel = channel;
        this.isContended = isContended;
    }

    /** Answers with what went to waiters of this process. */
    List<Handed> together(Connection connection, List<Request> batch) throws SQLException {
        boolean contended = batch.stream().anyMatch(request -> request.queued || isContended.test(request.name));
        if (batch.size() == 1 && !contended && releasePlain(connection, batch.getFirst())) {
            return List.of();
        }
        batch.sort(Comparator.comparing((Request request) -> request.name));
        List<Handed> handed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(RELEASE)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text", batch.stream().map(r -> r.name.value()).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "bigint", batch.stream().map(r -> r.token).toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "uuid", batch.stream().map(r -> r.lease).toArray()));
            statement.setString(4, channel);
            statement.setBoolean(5, contended);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    read(row, batch, handed);
                }
            }
        }
        return handed;
    }

    private static boolean releasePlain(Connection connection, Request request) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RELEASE_PLAIN)) {
            statement.setString(1, request.name.value());
            statement.setLong(2, request.token);
            statement.setObject(3, request.lease);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void read(ResultSet row, List<Request> batch, List<Handed> handed) throws SQLException {
        String outcome = row.getString("outcome");
        if (outcome.equals("HANDED")) {
            handed.add(Handed.from(row));
        } else if (!outcome.equals("RELEASED")) {
            String name = row.getString("name");
            long token = row.getLong("token");
            Loss loss = Rows.loss(outcome, row.getString("actor"), row.getString("reason"));
            for (Request request : batch) {
                if (request.token == token && request.name.value().equals(name)) {
                    request.loss = loss;
                }
            }
        }
    }
}

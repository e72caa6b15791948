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
import org.jspecify.annotations.Nullable;

/** The statement that gives locks back: one for all releases that travel together. */
final class Releasing {
    private static final String RELEASE = "SELECT * FROM interlock.release(?, ?, ?, ?)";

    static final class Request extends Coalescer.Request {
        final LockName name;
        final long token;
        final UUID lease;

        @Nullable Loss loss;

        Request(Lock lock) {
            name = lock.name();
            token = lock.token();
            lease = lock.grant().lease();
        }
    }

    private final String channel;

    Releasing(String channel) {
        this.channel = channel;
    }

    /** Answers with what went to waiters of this process. */
    List<Handed> together(Connection connection, List<Request> batch) throws SQLException {
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
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    read(row, batch, handed);
                }
            }
        }
        return handed;
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

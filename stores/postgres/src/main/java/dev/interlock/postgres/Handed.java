package dev.interlock.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A lock that was handed to the waiter with this ticket; {@code queued} when others wait behind it. */
record Handed(long ticket, long token, Instant acquiredAt, boolean queued) {
    static Handed from(ResultSet row) throws SQLException {
        return new Handed(
                row.getLong("ticket"),
                row.getLong("token"),
                Rows.instant(row, "acquired_at"),
                row.getBoolean("queued"));
    }
}

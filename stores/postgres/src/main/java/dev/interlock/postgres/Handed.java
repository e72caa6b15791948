package dev.interlock.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A lock that was handed to the waiter with this ticket. */
record Handed(long ticket, long token, Instant acquiredAt) {
    static Handed from(ResultSet row) throws SQLException {
        return new Handed(row.getLong("ticket"), row.getLong("token"), Rows.instant(row, "acquired_at"));
    }
}

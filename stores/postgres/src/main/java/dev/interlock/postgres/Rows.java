package dev.interlock.postgres;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the values of the vocabulary from rows. */
final class Rows {
    private Rows() {}

    /** A row of the view interlock.record, or of an answer that carries one. */
    static Lock lock(ResultSet row) throws SQLException {
        String reason = row.getString("hold_reason");
        String forcedBy = row.getString("forced_by");
        Lock.Grant grant = new Lock.Grant(
                holder(row),
                row.getObject("lease", UUID.class),
                instant(row, "acquired_at"),
                instant(row, "renewed_at"),
                instant(row, "expires_at"),
                reason == null ? null : new Maintenance(reason, row.getString("hold_ticket")),
                forcedBy == null ? null : new Lock.Forced(forcedBy, row.getString("forced_reason")));
        return new Lock(
                LockName.of(row.getString("name")),
                row.getLong("token"),
                Lock.Status.valueOf(row.getString("status")),
                grant,
                row.getInt("waiting"),
                instantOrNull(row, "closed_until"),
                instant(row, "seen_at"));
    }

    static Holder holder(ResultSet row) throws SQLException {
        return new Holder(
                row.getString("execution"), row.getInt("attempt"), row.getString("owner"), row.getString("user"));
    }

    static List<String> texts(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static Loss loss(String cause, @Nullable String actor, @Nullable String reason) {
        return cause.equals("FORCED")
                ? new Loss.ForcedBy(actor == null ? "somebody" : actor, reason == null ? "no reason kept" : reason)
                : Loss.Cause.valueOf(cause);
    }

    /** One row more than the page has says that there is another. */
    static <T> Page<T> page(List<T> rows, int size, Function<T, String> cursor) {
        if (rows.size() <= size) {
            return new Page<>(rows, null);
        }
        List<T> shown = rows.subList(0, size);
        return new Page<>(shown, cursor.apply(shown.getLast()));
    }
}

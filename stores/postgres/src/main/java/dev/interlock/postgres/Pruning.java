package dev.interlock.postgres;

import dev.interlock.core.audit.Sealing;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import javax.sql.DataSource;

/** The statements that forget locks which nobody has used for long, and what happened long ago; some at a time. */
final class Pruning {
    private static final String PRUNE = "SELECT interlock.prune(?::interval, ?)";
    private static final String PRUNE_TRAIL = "SELECT interlock.prune_trail(?::interval, ?)";
    private static final int PRUNED_AT_ONCE = 5000;
    private static final Duration TRAIL_KEPT_AT_LEAST = Duration.ofDays(1);
    private static final int SEALED_AT_ONCE = 5000;
    private static final int SEALS_PRUNED_AT_ONCE = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Connections connections;
    private final DataSource source;

    Pruning(Connections connections, DataSource source) {
        this.connections = connections;
        this.source = source;
    }

    /** Gives how many locks went. */
    int prune(Duration unusedFor) {
        int pruned = 0;
        int gone;
        do {
            gone = pruneSome(PRUNE, unusedFor, PRUNED_AT_ONCE);
            pruned += gone;
        } while (gone == PRUNED_AT_ONCE);
        pruneTrail(unusedFor.compareTo(TRAIL_KEPT_AT_LEAST) < 0 ? TRAIL_KEPT_AT_LEAST : unusedFor);
        return pruned;
    }

    /** Only what is under a seal may go, so that the trail can be verified without it. */
    private void pruneTrail(Duration older) {
        try (PostgresAudit trail = new PostgresAudit(source)) {
            while (trail.seal(SEALED_AT_ONCE) instanceof Sealing.Done) {
                // there may be more
            }
        }
        while (pruneSome(PRUNE_TRAIL, older, SEALS_PRUNED_AT_ONCE) == SEALS_PRUNED_AT_ONCE) {
            // there may be more
        }
    }

    private int pruneSome(String verb, Duration older, int most) {
        return connections.with(PATIENCE, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(verb)) {
                statement.setString(1, older.toString());
                statement.setInt(2, most);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? row.getInt(1) : 0;
                }
            }
        });
    }
}

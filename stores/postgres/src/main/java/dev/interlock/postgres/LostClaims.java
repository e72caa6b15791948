package dev.interlock.postgres;

import dev.interlock.core.Ports;
import dev.interlock.core.work.Claimed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims whose answer never came. What such a claim has started runs for nobody, on a lease that is kept alive: it has to
 * be found and given to its worker. The server may still be at it when the connection is gone, so it is looked for more
 * than once; and since a claim is one transaction, what it has started is found all at once.
 */
final class LostClaims {
    /** Far beyond the time that a statement may take. */
    private static final Duration LOOKED_FOR = Duration.ofMinutes(2);

    interface Step<T extends @Nullable Object> {
        T take() throws SQLException;
    }

    private record Lost(String owner, long since) {}

    private final Ports.Ticker ticker;
    private final Map<UUID, Lost> all = new ConcurrentHashMap<>();

    LostClaims(Ports.Ticker ticker) {
        this.ticker = ticker;
    }

    /** Remembers the claim if the connection breaks under it. */
    <T extends @Nullable Object> T watch(UUID claim, Claiming claiming, Step<T> step) throws SQLException {
        try {
            return step.take();
        } catch (SQLException e) {
            if (Failures.isWorthAnotherConnection(e)) {
                add(claim, claiming.claimant().identity().owner());
            }
            throw e;
        }
    }

    void add(UUID claim, String owner) {
        all.put(claim, new Lost(owner, ticker.nanos()));
    }

    List<Claimed> find(Connection connection, Claiming claiming) throws SQLException {
        if (all.isEmpty()) {
            return List.of();
        }
        String owner = claiming.claimant().identity().owner();
        List<Claimed> found = new ArrayList<>();
        for (Map.Entry<UUID, Lost> one : List.copyOf(all.entrySet())) {
            // Whoever removes it is the one that answers for it.
            if (one.getValue().owner.equals(owner) && all.remove(one.getKey(), one.getValue())) {
                boolean goOn = ticker.nanos() - one.getValue().since < LOOKED_FOR.toNanos();
                try {
                    List<Claimed> started = claiming.again(connection, one.getKey());
                    found.addAll(started);
                    goOn &= started.isEmpty();
                } finally {
                    if (goOn) {
                        all.putIfAbsent(one.getKey(), one.getValue());
                    }
                }
            }
        }
        return found;
    }
}

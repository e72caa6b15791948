package dev.interlock.kubernetes;

import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when this process has seen a holder stand still, on its own monotonic clock. Whoever holds changes the Lease
 * whenever it renews; whoever has not for a whole lease has lost it, whatever any clock shows.
 */
final class Observations {
    private static final int MOST = 10_000;

    private final Map<LockName, Sight> sights = new ConcurrentHashMap<>();

    private record Sight(String pulse, long firstHeardAt) {}

    /** For how long, at least, it had not changed when this answer was asked for. */
    Duration sighted(LockName name, String pulse, long sentAt, long heardAt) {
        if (sights.size() > MOST) {
            sights.clear(); // They begin anew, which is slower and never unsafe.
        }
        Sight first = sights.compute(
                name,
                (key, before) -> before != null && before.pulse().equals(pulse) ? before : new Sight(pulse, heardAt));
        return Duration.ofNanos(Math.max(0, sentAt - first.firstHeardAt()));
    }

    void forget(LockName name) {
        sights.remove(name);
    }
}

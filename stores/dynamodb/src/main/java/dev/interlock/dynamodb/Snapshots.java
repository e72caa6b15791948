package dev.interlock.dynamodb;

import dev.interlock.core.LockName;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The records, as this process last saw or wrote them, of the locks that it holds or waits for. A write on the strength
 * of one is conditional on its version, so an outdated one costs a request and nothing else.
 */
final class Snapshots {
    private static final int MOST = 20_000;

    private final Map<LockName, LockRecord> seen = new ConcurrentHashMap<>();

    @Nullable LockRecord of(LockName name) {
        return seen.get(name);
    }

    void keep(LockRecord lock) {
        if (seen.size() >= MOST) {
            // Grants that were lost are never given back here; without its snapshot a lock costs one read more.
            seen.clear();
        }
        seen.put(lock.name(), lock);
    }

    /** What hangs on this lease. */
    List<LockRecord> on(UUID lease) {
        return seen.values().stream()
                .filter(lock ->
                        lock.ending() == null && lock.tenure().lease().id().equals(lease))
                .toList();
    }

    void forget(LockName name) {
        seen.remove(name);
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Lease;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The leases that this process has opened, with the times the store last gave them. */
final class Leases {
    record Times(Instant renewedAt, Instant expiresAt) {}

    private final Map<UUID, Times> known = new ConcurrentHashMap<>();

    boolean isKnown(Lease lease) {
        return known.containsKey(lease.id());
    }

    @Nullable Times times(UUID lease) {
        return known.get(lease);
    }

    void seen(UUID lease, Times times) {
        known.put(lease, times);
    }

    void ended(UUID lease) {
        known.remove(lease);
    }
}

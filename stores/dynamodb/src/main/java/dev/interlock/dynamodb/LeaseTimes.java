package dev.interlock.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A lease as a lock or a waiter that hangs on it remembers it; its own record, once there is one, knows better. */
record LeaseTimes(UUID id, Duration duration, Instant renewedAt, Instant expiresAt) {
    static LeaseTimes from(Item item) {
        return new LeaseTimes(
                UUID.fromString(item.text("lease_id")),
                item.duration("lease_duration"),
                item.instant("renewed_at"),
                item.instant("expires_at"));
    }

    Item item() {
        return Item.empty()
                .with("lease_id", id.toString())
                .with("lease_duration", duration)
                .with("renewed_at", renewedAt)
                .with("expires_at", expiresAt);
    }
}

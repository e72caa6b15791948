package dev.interlock.core;

import org.jspecify.annotations.Nullable;

/** Why a person holds a lock; shown in every refusal. */
public record Maintenance(String reason, @Nullable String ticket) {
    public Maintenance {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("Holding for maintenance needs a reason.");
        }
    }
}

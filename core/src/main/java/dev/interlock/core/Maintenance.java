package dev.interlock.core;

import org.jspecify.annotations.Nullable;

/** Why a person holds a lock; shown in every refusal. */
public record Maintenance(String reason, @Nullable String ticket) {
    private static final int MAX_REASON = 1000;
    private static final int MAX_TICKET = 256;

    public Maintenance {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("Holding for maintenance needs a reason.");
        }
        Text.checkProse("The reason for maintenance", reason, MAX_REASON);
        if (ticket != null) {
            Text.checkLine("The ticket of a maintenance", ticket, MAX_TICKET);
        }
    }
}

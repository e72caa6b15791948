package dev.interlock.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a lock: one entry per tenure that has ended, per refusal, per forced release.
 *
 * @param began when the tenure began; the instant itself for everything else
 * @param detail the reason given by a person, or whatever else belongs to the event
 */
public record Past(
        Event event,
        long token,
        Holder holder,
        Instant began,
        Instant ended,
        @Nullable String detail) {
    public enum Event {
        RELEASED,
        EXPIRED,
        FORCED,
        HELD_TOO_LONG,
        REFUSED,
        FORCE_ORDERED
    }
}

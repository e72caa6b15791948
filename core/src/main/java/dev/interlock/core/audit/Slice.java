package dev.interlock.core.audit;

import java.util.List;

/**
 * Events in order, as far as they can be seen now.
 *
 * @param settled nothing that is not seen yet will ever stand at or before this position. Behind it an event may still
 *     turn up before one that is here, because its transaction takes longer
 */
public record Slice(List<Event> events, Position settled) {
    public Slice {
        events = List.copyOf(events);
    }
}

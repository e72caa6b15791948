package dev.interlock.core.audit;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events to read; null, or no word at all, means any.
 *
 * @param since how long ago at most, by the store's clock
 */
public record EventFilter(
        @Nullable String target,
        @Nullable String execution,
        Set<String> events,
        @Nullable Duration since) {
    public static final EventFilter ALL = new EventFilter(null, null, Set.of(), null);

    public EventFilter {
        events = Set.copyOf(events);
    }
}

package dev.interlock.core.audit;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the events of one target add up to: the present, as far as its past tells. */
public final class Replay {
    /** Ends of a tenure. */
    private static final Set<String> ENDS = Set.of("RELEASED", "EXPIRED", "FORCED", "HELD_TOO_LONG");

    /**
     * In the order in which things happened to the target. Positions do not tell it: a transaction that was numbered
     * first may have come to the target last. The store's clock, read while the target's row was held, does.
     */
    private static final Comparator<Event> AS_IT_HAPPENED = Comparator.comparing(Event::ended)
            .thenComparingLong(Event::token)
            .thenComparing(Event::began)
            .thenComparing(Event::at);

    /**
     * What is known of a target.
     *
     * @param ended the latest tenure that has ended; null when none has
     * @param running the grant of an execution that has not ended; a lock that is held by hand leaves no event before
     *     its end
     * @param executions by id
     * @param state of the resource; null when none was ever told
     */
    public record Present(
            @Nullable Event ended,
            @Nullable Event running,
            Map<String, Standing> executions,
            @Nullable String state) {
        public Present {
            executions = Map.copyOf(executions);
        }
    }

    /** Where an execution stands. */
    public record Standing(String phase, int attempt) {}

    private final Map<String, Standing> executions = new TreeMap<>();
    private @Nullable Event ended;
    private @Nullable Event running;
    private @Nullable String state;

    private Replay() {}

    /** Folds the events of one target, in whatever order they come. */
    public static Present of(Collection<Event> events) {
        Replay replay = new Replay();
        List<Event> ordered = events.stream().sorted(AS_IT_HAPPENED).toList();
        ordered.forEach(replay::add);
        return new Present(replay.ended, replay.running, replay.executions, replay.state);
    }

    private void add(Event event) {
        if (event.event().equals("GRANTED")) {
            running = event;
        } else if (ENDS.contains(event.event())) {
            end(event);
        }
        if (event.phase() != null) {
            executions.put(event.execution(), new Standing(event.phase(), event.attempt()));
        }
        if (event.state() != null) {
            state = event.state();
        }
    }

    private void end(Event event) {
        if (ended == null || event.token() >= ended.token()) {
            ended = event;
        }
        if (running != null && running.token() <= event.token()) {
            running = null;
        }
    }
}

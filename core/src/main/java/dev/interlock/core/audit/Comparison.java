package dev.interlock.core.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The events under one seal beside what it lists. */
final class Comparison {
    private final Seal seal;
    private final List<Event> events;
    private final Map<Position, Seal.Listed> unmatched = new TreeMap<>();

    Comparison(Seal seal, List<Event> events) {
        this.seal = seal;
        this.events = events;
    }

    List<Flaw> flaws() {
        List<Seal.Listed> listed = seal.listed();
        if (listed == null || Chain.contents(events).equals(seal.contents())) {
            return List.of();
        }
        listed.forEach(one -> unmatched.put(one.at(), one));
        List<Event> odd = events.stream().filter(event -> !matches(event)).toList();
        return odd.isEmpty() && unmatched.isEmpty() ? forged() : explained(odd);
    }

    private boolean matches(Event event) {
        return unmatched.remove(event.at(), Chain.listed(event));
    }

    /** Those that are still listed are missing, unless they stand elsewhere or were changed where they are. */
    private List<Flaw> explained(List<Event> odd) {
        Map<Long, Position> places = new HashMap<>();
        unmatched.values().forEach(one -> places.put(one.digest(), one.at()));
        List<Flaw> flaws = new ArrayList<>();
        List<Event> strangers = new ArrayList<>();
        for (Event event : odd) {
            @Nullable Position was = places.remove(Chain.listed(event).digest());
            if (was == null) {
                strangers.add(event);
            } else {
                flaws.add(new Flaw.Reordered(event, was, seal.number()));
                unmatched.remove(was);
            }
        }
        for (Event event : strangers) {
            flaws.add(
                    unmatched.remove(event.at()) == null
                            ? new Flaw.Inserted(event, seal.number())
                            : new Flaw.Changed(event, seal.number()));
        }
        unmatched.keySet().forEach(at -> flaws.add(new Flaw.Missing(at, seal.number())));
        return flaws;
    }

    /**
     * Every event has the short digest that is listed, and still they are not those that were sealed: one was replaced
     * by another that took great pains to find, and it cannot be told which.
     */
    private List<Flaw> forged() {
        return events.stream()
                .<Flaw>map(event -> new Flaw.Changed(event, seal.number()))
                .toList();
    }
}

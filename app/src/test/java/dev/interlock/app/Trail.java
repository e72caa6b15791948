package dev.interlock.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the audit trail tells of one target, as {@code EVENT TOKEN EXECUTION PHASE BEGAN ENDED}: a grant, and how it ended.
 * Times are microseconds by the store's clock.
 */
record Trail(List<Event> events) {
    private static final Set<String> ENDS = Set.of("RELEASED", "EXPIRED", "FORCED", "LOST", "LOCK_STATE_LOST");
    private static final Set<String> FINAL = Set.of("COMPLETED", "FAILED", "CANCELLED");

    record Event(String event, long token, String execution, String phase, long began, long ended) {
        static Event of(String text) {
            String[] words = text.split(" ", -1);
            return new Event(
                    words[0],
                    Long.parseLong(words[1]),
                    words[2],
                    words[3],
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]));
        }
    }

    static Trail of(Server server, String target) {
        return of(server.texts("""
                SELECT concat_ws(' ', event, token, execution, coalesce(phase, '-'),
                                 (extract(epoch FROM began_at) * 1000000)::bigint,
                                 (extract(epoch FROM ended_at) * 1000000)::bigint)
                  FROM interlock.history WHERE name = '%s'""".formatted(target)));
    }

    static Trail of(List<String> texts) {
        return new Trail(texts.stream().map(Event::of).toList());
    }

    /** Of one kind, in the order of tokens. */
    List<Event> all(String event) {
        return events.stream()
                .filter(one -> one.event().equals(event))
                .sorted(Comparator.comparingLong(Event::token))
                .toList();
    }

    /** Of a target that is at rest: one grant after the other, each ended once, and each execution ended once. */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        long previous = 0;
        long free = Long.MIN_VALUE;
        for (Event grant : all("GRANTED")) {
            List<Event> ends = ends(grant.token());
            if (grant.token() == previous) {
                violations.add("Token " + previous + " was granted twice");
            }
            if (grant.ended() < free) {
                violations.add("Token " + grant.token() + " was granted before the tenure of " + previous + " ended");
            }
            if (ends.size() != 1) {
                violations.add("Token " + grant.token() + " ended " + ends.size() + " times");
            }
            previous = grant.token();
            free = ends.stream().mapToLong(Event::ended).max().orElse(free);
        }
        violations.addAll(endings());
        return violations;
    }

    private List<Event> ends(long token) {
        return events.stream()
                .filter(event -> event.token() == token && ENDS.contains(event.event()))
                .toList();
    }

    private List<String> endings() {
        Map<String, Integer> endings = new HashMap<>();
        for (Event event : events) {
            if (event.execution().isEmpty()) {
                continue; // of the target itself
            }
            boolean last = ENDS.contains(event.event()) && FINAL.contains(event.phase());
            endings.merge(event.execution(), last ? 1 : 0, Integer::sum);
        }
        return endings.entrySet().stream()
                .filter(one -> one.getValue() != 1)
                .map(one -> one.getKey() + " ended " + one.getValue() + " times")
                .sorted()
                .toList();
    }
}

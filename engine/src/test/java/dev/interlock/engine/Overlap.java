package dev.interlock.engine;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Watches who works on what, and remembers when two did on one thing, or one came before its turn. */
final class Overlap {
    private final Map<String, String> inside = new ConcurrentHashMap<>();
    private final Map<String, String> last = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    void enter(String thing, String execution) {
        String other = inside.putIfAbsent(thing, execution);
        if (other != null) {
            violations.add(execution + " and " + other + " work on " + thing);
        }
        String before = last.put(thing, execution);
        if (before != null && before.compareTo(execution) > 0) {
            violations.add(execution + " came after " + before + " to " + thing);
        }
    }

    void leave(String thing, String execution) {
        inside.remove(thing, execution);
    }

    Queue<String> violations() {
        return violations;
    }
}

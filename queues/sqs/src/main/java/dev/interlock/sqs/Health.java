package dev.interlock.sqs;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What is wrong with the transport at the moment, in sentences; each trouble is told once, and its end once. */
final class Health {
    private static final String MEANWHILE = " Meanwhile work is found by looking at the store; nothing is lost.";

    private final Consumer<String> say;
    /** By the part that has it. */
    private final Map<String, String> troubles = new TreeMap<>();

    private final Set<String> told = new HashSet<>();

    Health(Consumer<String> say) {
        this.say = say;
    }

    synchronized void trouble(String part, RuntimeException e) {
        String sentence = e instanceof QueueUnavailable queue ? queue.getMessage() + MEANWHILE : e.toString();
        troubles.put(part, sentence);
        if (told.add(sentence)) {
            say.accept(sentence);
        }
    }

    synchronized void well(String part) {
        if (troubles.remove(part) != null && troubles.isEmpty()) {
            told.clear();
            say.accept("The queue answers again.");
        }
    }

    synchronized List<String> troubles() {
        return troubles.values().stream().distinct().toList();
    }
}

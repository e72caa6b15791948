package dev.interlock.bench.jobs;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Jobs to submit: one for each target in turn, so that those of one target are never part of one bulk, where they would
 * share an instant.
 *
 * @param from how many there were before, in multiples of the targets
 * @param first the first target
 */
record Backlog(int from, int count, int first, int targets) {
    /** So many at once are submitted in bulk. */
    static final int CHUNK = 1000;

    String line() {
        return Stream.of(from, count, first, targets)
                .map(String::valueOf)
                .reduce("", (line, word) -> line + " " + word);
    }

    static Backlog parse(List<String> words) {
        var numbers = words.stream().map(Integer::valueOf).toList();
        return new Backlog(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
    }

    /** What comes after this one, on the same targets. */
    Backlog next(int more) {
        return new Backlog(from + count, more, first, targets);
    }

    List<Job> jobs() {
        return IntStream.range(from, from + count)
                .mapToObj(index -> new Job(first + index % targets, index / targets))
                .toList();
    }
}

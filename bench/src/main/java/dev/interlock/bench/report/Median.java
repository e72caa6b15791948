package dev.interlock.bench.report;

import java.util.List;

/** The middle of a few values, or the mean of the two in the middle. */
public final class Median {
    private Median() {}

    public static double of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("No values");
        }
        var sorted = values.stream().sorted().toList();
        var upper = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(upper) : (sorted.get(upper - 1) + sorted.get(upper)) / 2;
    }
}

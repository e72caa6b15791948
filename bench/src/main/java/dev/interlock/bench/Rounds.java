package dev.interlock.bench;

import dev.interlock.bench.report.HistogramFiles;
import dev.interlock.bench.report.Measurement;
import dev.interlock.bench.workload.Workload;
import dev.interlock.bench.workload.Workload.Situation;
import dev.interlock.bench.workload.Workload.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Measures every contender in each round, next to its rivals, in an order that changes each time. */
record Rounds(int count, HistogramFiles histograms) {
    List<Measurement> run(Workload workload) throws Exception {
        var found = new ArrayList<Measurement>();
        var rounds = count * workload.turns();
        for (var round = 0; round < rounds; round++) {
            for (var situation : workload.list()) {
                for (var trial : order(situation.trials(), round)) {
                    System.err.printf(
                            "round %d of %d: %s, %s %s: %s%n",
                            round + 1,
                            rounds,
                            workload.id(),
                            workload.situations(),
                            situation.name(),
                            trial.contender());
                    found.addAll(measure(workload, situation, trial, round));
                }
            }
        }
        return found;
    }

    private List<Measurement> measure(Workload workload, Situation situation, Trial trial, int round) throws Exception {
        var reading = trial.measure().once();
        for (var histogram : reading.histograms().entrySet()) {
            histograms.write(
                    List.of(workload.id(), situation.name(), trial.contender(), histogram.getKey()),
                    round + 1,
                    histogram.getValue());
        }
        return reading.values().stream()
                .map(value ->
                        new Measurement(round, situation.name(), trial.contender(), value.figure(), value.value()))
                .toList();
    }

    /**
     * A balanced Latin square: over as many rounds as there are contenders each of them comes once in every place, and,
     * when their number is even, once right after every other.
     */
    static <T> List<T> order(List<T> contenders, int round) {
        return IntStream.range(0, contenders.size())
                .map(place -> place % 2 == 1 ? (place + 1) / 2 : -place / 2)
                .mapToObj(step -> contenders.get(Math.floorMod(round + step, contenders.size())))
                .toList();
    }
}

package dev.interlock.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of one workload: a column for each contender, a row for each figure of each situation. The baseline is
 * shown as it is, the others as the median over the rounds of their ratio to the baseline of the same round.
 */
public record Table(String situations, List<String> contenders, String baseline, List<Measurement> measurements) {
    private static final String NOTHING = "–";

    public String markdown() {
        var heading = row(Stream.concat(Stream.of(situations, "figure"), contenders.stream()));
        var rule =
                row(Stream.concat(Stream.of("---", "---"), contenders.stream().map(name -> "---:")));
        var rows = measurements.stream()
                .map(measurement -> new Line(measurement.situation(), measurement.figure()))
                .distinct()
                .map(this::row);
        return Stream.concat(Stream.of(heading, rule), rows).collect(Collectors.joining("\n", "", "\n"));
    }

    private record Line(String situation, Figure figure) {}

    private String row(Line line) {
        return row(Stream.concat(
                Stream.of(line.situation(), line.figure().name()),
                contenders.stream().map(contender -> cell(line, contender))));
    }

    private static String row(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |"));
    }

    private String cell(Line line, String contender) {
        var own = of(line, contender);
        if (own.isEmpty()) {
            return NOTHING;
        }
        var unit = line.figure().unit();
        var value = unit.format(unit.among(values(own)));
        var ratios = ratios(line, own);
        return contender.equals(baseline) || ratios.isEmpty()
                ? value
                : Unit.TIMES.format(Median.of(ratios)) + " (" + value + ")";
    }

    private List<Double> ratios(Line line, List<Measurement> own) {
        if (!line.figure().compared()) {
            return List.of();
        }
        var base = of(line, baseline);
        return own.stream()
                .flatMap(mine -> sameRound(base, mine).map(other -> mine.value() / other.value()).stream())
                .toList();
    }

    private static Optional<Measurement> sameRound(List<Measurement> base, Measurement mine) {
        return base.stream().filter(other -> other.round() == mine.round()).findAny();
    }

    private List<Measurement> of(Line line, String contender) {
        return measurements.stream()
                .filter(found -> found.situation().equals(line.situation())
                        && found.figure().equals(line.figure())
                        && found.contender().equals(contender))
                .toList();
    }

    private static List<Double> values(List<Measurement> measurements) {
        return measurements.stream().map(Measurement::value).toList();
    }
}

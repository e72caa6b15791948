package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contender;
import dev.interlock.bench.contender.Contenders;
import dev.interlock.bench.contender.Names;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Acquire and release without rivals, by few and by many callers of one process. */
public record Uncontended(Postgres postgres, Window window) implements Workload {
    private static final int[] CALLERS = {1, 8, 32, 256};
    private static final int NAMES = 8192;

    private static final Figure RATE = Figure.compared("cycles", Unit.PER_SECOND);
    private static final Figure P50 = Figure.compared("p50", Unit.MILLIS);
    private static final Figure P99 = Figure.compared("p99", Unit.MILLIS);
    private static final Figure P99_CORRECTED = Figure.compared("p99, corrected", Unit.MILLIS);

    @Override
    public String id() {
        return "uncontended";
    }

    @Override
    public String title() {
        return "Acquire and release without rivals";
    }

    @Override
    public String method() {
        return """
                Each caller is a thread that acquires and releases one of its own names, drawn at random, cycle after \
                cycle (closed loop); %,d names in all. p50 and p99 are of the whole cycle. Cycles that are never had are missing \
                from these; *corrected* is the p99 with those that a waiting caller would have begun at the pace of all \
                (coordinated omission), so that callers who starve show.""".formatted(NAMES);
    }

    @Override
    public String situations() {
        return "callers";
    }

    @Override
    public String baseline() {
        return Contenders.pairs().getFirst().name();
    }

    @Override
    public List<Situation> list() {
        return IntStream.of(CALLERS)
                .mapToObj(callers -> new Situation(
                        Integer.toString(callers),
                        Contenders.pairs().stream()
                                .map(contender -> trial(contender, callers))
                                .toList()))
                .toList();
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    private Trial trial(Contender contender, int callers) {
        return new Trial(
                contender.name(),
                contender.settings(),
                () -> postgres.inFreshDatabase(database -> measure(contender, callers, database)));
    }

    private Reading measure(Contender contender, int callers, Database database) throws Exception {
        contender.prepare(database);
        try (var client = contender.open(database, callers)) {
            var span = window.open();
            var cycles = Callers.cycle(client, new Names(NAMES, callers), span);
            return new Reading(
                    List.of(
                            RATE.is(cycles.ended().getTotalCount() / span.seconds()),
                            P50.is(Millis.at(cycles.ended(), 50)),
                            P99.is(Millis.at(cycles.ended(), 99)),
                            P99_CORRECTED.is(Millis.at(cycles.corrected(span, callers), 99))),
                    Map.of("cycle", cycles.ended()));
        }
    }
}

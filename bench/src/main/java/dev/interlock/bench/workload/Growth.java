package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contenders;
import dev.interlock.bench.contender.Growing;
import dev.interlock.bench.contender.Names;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Whether an acquire and release take longer when there are many names. */
public record Growth(Postgres postgres, Window window, int many) implements Workload {
    private static final int FEW = 1_000;
    private static final int CALLERS = 8;
    private static final int SLICES = 4;

    private static final Figure FACTOR = Figure.absolute("p50, many against few", Unit.TIMES);

    @Override
    public String id() {
        return "growth";
    }

    @Override
    public String title() {
        return "Growth of the number of names";
    }

    @Override
    public String method() {
        return """
                p50 of acquire and release by %d callers that draw their names at random from all there are. A contender \
                that keeps the record of a name after its release has those records; one that deletes it has as many \
                names held by others. Both sizes are measured in alternating slices of the same minutes. The checkpoint \
                precedes the filling, so that the first touch of a page is not charged with its full image in the log, \
                which a table in steady use pays once in a checkpoint interval.""".formatted(CALLERS);
    }

    @Override
    public String situations() {
        return "names";
    }

    @Override
    public String baseline() {
        return Contenders.growing().getFirst().name();
    }

    @Override
    public List<Situation> list() {
        var trials = Contenders.growing().stream()
                .map(contender -> new Trial(contender.name(), contender.settings(), () -> measure(contender)))
                .toList();
        return List.of(new Situation(String.format(Locale.ROOT, "%,d → %,d", FEW, many), trials));
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    private Reading measure(Growing contender) throws Exception {
        return postgres.inFreshDatabase(few -> postgres.inFreshDatabase(lots -> measure(contender, few, lots)));
    }

    private Reading measure(Growing contender, Database few, Database lots) throws Exception {
        fill(contender, few, FEW);
        fill(contender, lots, many);
        var slice =
                new Window(window.warmUp().dividedBy(SLICES), window.measured().dividedBy(SLICES));
        var cyclesOfFew = new Histogram(3);
        var cyclesOfMany = new Histogram(3);
        try (var small = contender.open(few, CALLERS);
                var large = contender.open(lots, CALLERS)) {
            for (var i = 0; i < SLICES; i++) {
                cyclesOfFew.add(Callers.cycle(small, new Names(FEW, CALLERS), slice.open())
                        .ended());
                cyclesOfMany.add(Callers.cycle(large, new Names(many, CALLERS), slice.open())
                        .ended());
            }
        }
        return new Reading(
                List.of(
                        p50(FEW).is(Millis.at(cyclesOfFew, 50)),
                        p50(many).is(Millis.at(cyclesOfMany, 50)),
                        FACTOR.is(Millis.at(cyclesOfMany, 50) / Millis.at(cyclesOfFew, 50))),
                Map.of("few", cyclesOfFew, "many", cyclesOfMany));
    }

    private static void fill(Growing contender, Database database, int names) throws Exception {
        contender.prepare(database);
        contender.fill(database, names);
    }

    private static Figure p50(int names) {
        return Figure.compared(String.format(Locale.ROOT, "p50, %,d names", names), Unit.MILLIS);
    }
}

package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contenders;
import dev.interlock.bench.contender.Renewer;
import dev.interlock.bench.contender.Renewer.Holding;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Keeping alive everything that one process holds. */
public record Renewal(Postgres postgres, Window window, int locks) implements Workload {
    private static final int MOST_SWEEPS = 20;

    private static final Figure SWEEP = Figure.compared("renewing all", Unit.MILLIS);
    private static final Figure STATEMENTS = Figure.absolute("statements", Unit.NUMBER);

    @Override
    public String id() {
        return "renewal";
    }

    @Override
    public String title() {
        return "Renewing held locks";
    }

    @Override
    public String method() {
        return """
                One process holds the locks and renews all of them, again and again for the window or %d times, at least \
                once; the median counts. Statements are counted by the server as above, for one renewal of all.""".formatted(MOST_SWEEPS);
    }

    @Override
    public String situations() {
        return "locks held";
    }

    @Override
    public String baseline() {
        return Contenders.renewers().getFirst().name();
    }

    @Override
    public List<Situation> list() {
        var trials = Contenders.renewers().stream().map(this::trial).toList();
        return List.of(new Situation(String.format(Locale.ROOT, "%,d", locks), trials));
    }

    @Override
    public List<String> notes() {
        return postgres.countsStatements() ? List.of() : List.of(Postgres.NOT_COUNTED);
    }

    private Trial trial(Renewer renewer) {
        return new Trial(
                renewer.name(),
                renewer.settings(),
                () -> postgres.inFreshDatabase(database -> measure(renewer, database)));
    }

    private Reading measure(Renewer renewer, Database database) throws Exception {
        renewer.prepare(database);
        postgres.countStatements(database);
        try (var holding = renewer.hold(database, locks)) {
            postgres.checkpoint();
            sweeps(holding, window.warmUp().toNanos());
            var before = postgres.statements(database);
            var sweeps = sweeps(holding, window.measured().toNanos());
            var after = postgres.statements(database);
            var values = new ArrayList<>(List.of(SWEEP.is(Millis.at(sweeps, 50))));
            if (before.isPresent() && after.isPresent()) {
                var statements = (double) (after.getAsLong() - before.getAsLong());
                values.add(STATEMENTS.is(statements / sweeps.getTotalCount()));
            }
            return new Reading(values, Map.of("renewal", sweeps));
        }
    }

    private static Histogram sweeps(Holding holding, long nanos) throws SQLException {
        var sweeps = new Histogram(3);
        var first = System.nanoTime();
        do {
            var start = System.nanoTime();
            holding.renewAll();
            sweeps.recordValue(System.nanoTime() - start);
        } while (System.nanoTime() - first < nanos && sweeps.getTotalCount() < MOST_SWEEPS);
        return sweeps;
    }
}

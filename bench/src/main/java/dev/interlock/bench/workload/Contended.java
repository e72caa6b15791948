package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contender;
import dev.interlock.bench.contender.Contenders;
import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import dev.interlock.bench.workload.Window.Span;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** One lock that everybody wants: how fast it changes hands, how fairly, and at what cost to the server. */
public record Contended(Postgres postgres, Window window) implements Workload {
    private static final int WAITERS = 32;
    private static final int[] PROCESSES = {1, 4};

    private static final Figure P50 = Figure.compared("hand-off p50", Unit.MILLIS);
    private static final Figure P99 = Figure.compared("hand-off p99", Unit.MILLIS);
    private static final Figure FAIRNESS = Figure.absolute("Jain index", Unit.NUMBER);
    private static final Figure LONGEST = Figure.absolute("longest wait / median", Unit.NUMBER);
    private static final Figure STATEMENTS = Figure.absolute("statements per acquisition", Unit.NUMBER);

    @Override
    public String id() {
        return "contended";
    }

    @Override
    public String title() {
        return "One contended lock";
    }

    @Override
    public String method() {
        return """
                %d threads want one lock, hold it for %d ms and ask again at once; each process is a JVM of its own. A \
                hand-off lasts from the moment the holder calls release to the moment the acquire of the next holder has \
                returned, on the monotonic clock that the processes of the host share (checked at each start); the next \
                holder may be the last one again, where nothing keeps it from pushing ahead. The Jain index is over \
                acquisitions per waiter. Waits that outlast the window count with their whole length. Statements are \
                counted by the server (`pg_stat_statements`, `track = top`): every query that clients had it run, polls \
                included, without `BEGIN`, `COMMIT` and the like; what a function runs inside is part of its call. The \
                run fails if two ever hold the lock at once. It takes %d s until it counts: a process that gets the lock forty \
                times a second is slow to warm up.""".formatted(WAITERS, Waiters.HOLD.toMillis(), window.warmUp().toSeconds());
    }

    @Override
    public String situations() {
        return "processes × waiters";
    }

    @Override
    public String baseline() {
        return Contenders.waiting().getFirst().name();
    }

    @Override
    public List<Situation> list() {
        return IntStream.of(PROCESSES)
                .mapToObj(processes -> new Situation(
                        processes + " × " + WAITERS / processes,
                        Contenders.waiting().stream()
                                .map(contender -> trial(contender, processes))
                                .toList()))
                .toList();
    }

    @Override
    public List<String> notes() {
        return postgres.countsStatements() ? List.of() : List.of(Postgres.NOT_COUNTED);
    }

    private Trial trial(Contender contender, int processes) {
        return new Trial(
                contender.name(),
                contender.settings(),
                () -> postgres.inFreshDatabase(database -> measure(contender, processes, database)));
    }

    private Reading measure(Contender contender, int processes, Database database) throws Exception {
        contender.prepare(database);
        postgres.countStatements(database);
        var started = new ArrayList<WaiterProcess>();
        try {
            for (var i = 0; i < processes; i++) {
                var waiters = WAITERS / processes;
                started.add(WaiterProcess.start(contender, database, i * waiters, waiters));
            }
            return measure(started, database);
        } finally {
            started.forEach(WaiterProcess::close);
        }
    }

    private Reading measure(List<WaiterProcess> processes, Database database) throws Exception {
        for (var process : processes) {
            process.awaitReady();
        }
        var span = window.open();
        for (var process : processes) {
            process.go(span);
        }
        var before = statementsAt(span.from(), database);
        var after = statementsAt(span.until(), database);
        return reading(turns(processes), span, before, after);
    }

    private static Turns turns(List<WaiterProcess> processes) throws IOException {
        var turns = new ArrayList<Turn>();
        for (var process : processes) {
            turns.addAll(process.turns());
        }
        return Turns.of(turns);
    }

    private static Reading reading(Turns turns, Span span, OptionalLong before, OptionalLong after) {
        var handOffs = turns.handOffs(span);
        var waits = turns.waits(span);
        var values = new ArrayList<>(List.of(
                P50.is(Millis.at(handOffs, 50)),
                P99.is(Millis.at(handOffs, 99)),
                FAIRNESS.is(Turns.jain(turns.shares(span, WAITERS))),
                LONGEST.is(Millis.at(waits, 100) / Millis.at(waits, 50))));
        if (before.isPresent() && after.isPresent()) {
            var statements = (double) (after.getAsLong() - before.getAsLong());
            values.add(STATEMENTS.is(statements / handOffs.getTotalCount()));
        }
        return new Reading(values, Map.of("hand-off", handOffs, "wait", waits));
    }

    private OptionalLong statementsAt(long instant, Database database) throws SQLException, InterruptedException {
        Thread.sleep(Math.max(0, (instant - System.nanoTime()) / 1_000_000));
        return postgres.statements(database);
    }
}

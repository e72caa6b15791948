package dev.interlock.bench.workload;

import dev.interlock.bench.contender.Contender.Client;
import dev.interlock.bench.contender.Names;
import dev.interlock.bench.workload.Window.Span;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;

/** Threads that acquire and release names of their own, one cycle after the other. */
final class Callers {
    private static final int DIGITS = 3;

    private Callers() {}

    /** The durations of all cycles that ended inside the span, in nanoseconds. */
    static Histogram cycle(Client client, Names names, Span span) throws InterruptedException, ExecutionException {
        var callers = new ArrayList<Callable<Histogram>>();
        for (var i = 0; i < names.callers(); i++) {
            var caller = i;
            callers.add(() -> cycle(client, names, caller, span));
        }
        var all = new Histogram(DIGITS);
        try (var threads = Executors.newFixedThreadPool(names.callers())) {
            for (var one : threads.invokeAll(callers)) {
                all.add(one.get());
            }
        }
        return all;
    }

    private static Histogram cycle(Client client, Names names, int caller, Span span)
            throws SQLException, InterruptedException {
        var durations = new Histogram(DIGITS);
        var random = new SplittableRandom(caller);
        for (var now = System.nanoTime(); !span.over(now); ) {
            var start = now;
            client.acquire(names.next(caller, random)).release();
            now = System.nanoTime();
            if (span.contains(now)) {
                durations.recordValue(now - start);
            }
        }
        return durations;
    }
}

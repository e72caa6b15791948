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

    /**
     * The durations of cycles, in nanoseconds.
     *
     * @param ended of those that ended inside the span
     * @param lasting of those that lasted into it or out of it too: a caller that starves may end none inside
     */
    record Cycles(Histogram ended, Histogram lasting) {
        Cycles() {
            this(new Histogram(DIGITS), new Histogram(DIGITS));
        }

        void add(Cycles others) {
            ended.add(others.ended);
            lasting.add(others.lasting);
        }

        /**
         * As if each caller had kept asking at the pace that all have together while it was made to wait: otherwise a
         * hundred who starve count as a hundred cycles beside the many thousands of a few.
         */
        Histogram corrected(Span span, int callers) {
            var pace = span.seconds() * 1e9 * callers / Math.max(1, ended.getTotalCount());
            return lasting.copyCorrectedForCoordinatedOmission((long) pace);
        }
    }

    static Cycles cycle(Client client, Names names, Span span) throws InterruptedException, ExecutionException {
        var callers = new ArrayList<Callable<Cycles>>();
        for (var i = 0; i < names.callers(); i++) {
            var caller = i;
            callers.add(() -> cycle(client, names, caller, span));
        }
        var all = new Cycles();
        try (var threads = Executors.newFixedThreadPool(names.callers())) {
            for (var one : threads.invokeAll(callers)) {
                all.add(one.get());
            }
        }
        return all;
    }

    private static Cycles cycle(Client client, Names names, int caller, Span span)
            throws SQLException, InterruptedException {
        var cycles = new Cycles();
        var random = new SplittableRandom(caller);
        for (var now = System.nanoTime(); !span.over(now); ) {
            var start = now;
            client.acquire(names.next(caller, random)).release();
            now = System.nanoTime();
            if (span.contains(now)) {
                cycles.ended.recordValue(now - start);
            }
            if (span.overlaps(start, now)) {
                cycles.lasting.recordValue(now - start);
            }
        }
        return cycles;
    }
}

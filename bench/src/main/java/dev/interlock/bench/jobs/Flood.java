package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether jobs that are stuck behind two busy targets slow down those of all other targets. */
public record Flood(Postgres postgres, int stuck, int jobs) implements JobWorkload {
    private static final int BUSY = 2;
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration FOR_EVER = Duration.ofMillis(-1);

    private static final Figure WITHOUT = Figure.compared("jobs, nothing stuck", Unit.PER_SECOND);
    private static final Figure WITH = Figure.compared("jobs beside the stuck", Unit.PER_SECOND);
    private static final Figure FACTOR = Figure.absolute("beside the stuck / nothing stuck", Unit.TIMES);

    @Override
    public String id() {
        return "jobs-flood";
    }

    @Override
    public String title() {
        return "Many stuck behind two";
    }

    @Override
    public String method() {
        return """
                A process runs one job of each of %d targets and is then stopped (SIGSTOP), so that these never end. \
                Behind them the stuck jobs are submitted, then those of %,d other targets, which do nothing and are worked \
                off by another process with %d slots, for at most %d s. Only those who keep the jobs of a target apart \
                take part.""".formatted(BUSY, Site.TARGETS, Site.SLOTS, LONGEST.toSeconds());
    }

    @Override
    public String situations() {
        return "stuck / others";
    }

    @Override
    public String situation() {
        return String.format(Locale.ROOT, "%,d / %,d", stuck, jobs);
    }

    @Override
    public List<JobContender> contenders() {
        return JobContenders.exclusive();
    }

    @Override
    public Reading measure(JobContender contender) throws Exception {
        double without = postgres.inFreshDatabase(database -> rate(contender, database, 0));
        double with = postgres.inFreshDatabase(database -> rate(contender, database, stuck));
        return new Reading(List.of(WITHOUT.is(without), WITH.is(with), FACTOR.is(with / without)), Map.of());
    }

    private double rate(JobContender contender, Database database, int behind) throws Exception {
        try (var site = Site.open(postgres, contender, database, Site.LONG_LEASE)) {
            var worker = site.start();
            var warmUp = new Backlog(0, Site.TARGETS, BUSY, Site.TARGETS);
            worker.submitInBulk(warmUp);
            site.drain(worker, Site.TARGETS, Duration.ZERO);

            var busy = new Backlog(0, BUSY, 0, BUSY);
            var holder = site.start();
            holder.submitInBulk(busy);
            holder.work(BUSY, FOR_EVER);
            site.await(() -> holder.started() == BUSY);
            holder.pause();

            worker.submitInBulk(busy.next(behind));
            worker.submitInBulk(warmUp.next(jobs));
            site.settle();
            return rate(worker);
        }
    }

    private double rate(JobProcess worker) throws Exception {
        var start = System.nanoTime();
        worker.work(Site.SLOTS, Duration.ZERO);
        Site.await(() -> worker.ended() >= jobs, LONGEST);
        return worker.ended() * 1e9 / (System.nanoTime() - start);
    }
}

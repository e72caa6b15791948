package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import dev.interlock.bench.workload.Millis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long a target lies idle between one job and the next that waits for it, with two processes at work. */
public record Handover(Postgres postgres, int line, Duration warmUp) implements JobWorkload {
    private static final int WORKERS = 2;
    private static final int TARGETS = 8;
    private static final Duration HOLD = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static final Figure P50 = Figure.compared("hand-over p50", Unit.MILLIS);
    private static final Figure P99 = Figure.compared("hand-over p99", Unit.MILLIS);

    @Override
    public String id() {
        return "jobs-handover";
    }

    @Override
    public String title() {
        return "Hand-over to the next in line";
    }

    @Override
    public String method() {
        return """
                Each target has a line of jobs, submitted one by one, and each job is held for %d ms; %d processes with %d \
                slots each work on them, for at most %d s, of which the first %d do not count. A hand-over lasts from the end of one run to the start of the \
                next one on the same target, in whichever process.""".formatted(HOLD.toMillis(), WORKERS, Site.SLOTS / WORKERS, LONGEST.toSeconds(), warmUp.toSeconds());
    }

    @Override
    public String situations() {
        return "targets × jobs";
    }

    @Override
    public String situation() {
        return TARGETS + " × " + line;
    }

    @Override
    public List<JobContender> contenders() {
        return JobContenders.prompt();
    }

    @Override
    public Reading measure(JobContender contender) throws Exception {
        return postgres.inFreshDatabase(database -> measure(contender, database));
    }

    private Reading measure(JobContender contender, Database database) throws Exception {
        try (var site = Site.open(postgres, contender, database, Site.LONG_LEASE)) {
            for (var i = 0; i < WORKERS; i++) {
                var process = site.start();
                var warmUp = new Backlog(0, Site.TARGETS, (i + 1) * Site.TARGETS, Site.TARGETS);
                process.submitInBulk(warmUp);
                site.drain(process, Site.TARGETS, Duration.ZERO);
            }
            var jobs = new Backlog(0, TARGETS * line, 0, TARGETS);
            site.processes().getFirst().submitEach(jobs, 1);
            site.settle();
            var counted = System.nanoTime() + warmUp.toNanos();
            var runs = runs(site, jobs.count());
            var handovers = runs.handovers(counted);
            var values = new ArrayList<>(List.of(P50.is(Millis.at(handovers, 50)), P99.is(Millis.at(handovers, 99))));
            values.addAll(runs.promises());
            return new Reading(values, Map.of("hand-over", handovers));
        }
    }

    private static Runs runs(Site site, int jobs) throws Exception {
        for (var process : site.processes()) {
            process.work(Site.SLOTS / WORKERS, HOLD);
        }
        Site.await(() -> ended(site) >= jobs, LONGEST);
        var ran = new ArrayList<Ran>();
        for (var process : site.processes()) {
            ran.addAll(process.ran());
        }
        return Runs.of(ran);
    }

    private static int ended(Site site) throws IOException {
        var ended = 0;
        for (var process : site.processes()) {
            ended += process.ended();
        }
        return ended;
    }
}

package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long it takes until what a killed process ran is run again by another. */
public record Recovery(Postgres postgres) implements JobWorkload {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration FOR_EVER = Duration.ofMillis(-1);

    private static final Figure RESUMED = Figure.compared("resumed after", Unit.SECONDS);

    @Override
    public String id() {
        return "jobs-recovery";
    }

    @Override
    public String title() {
        return "A worker is killed";
    }

    @Override
    public String method() {
        return """
                One process runs a job that does not end, a second one is at work and idle; the first is killed with \
                SIGKILL. The time runs from then until the job starts in the second.""";
    }

    @Override
    public String situations() {
        return "lease";
    }

    @Override
    public String situation() {
        return LEASE.toSeconds() + " s";
    }

    @Override
    public List<JobContender> contenders() {
        return JobContenders.recovering();
    }

    @Override
    public List<String> notes() {
        var notes = new ArrayList<>(JobContenders.notes());
        notes.add("A lease is what comes nearest: of db-scheduler four heartbeats; of pg-boss its shortest heartbeat, "
                + "10 s, watched every second. graphile-worker is not measured: it takes a job back after four hours, "
                + "which no setting shortens.");
        return notes;
    }

    @Override
    public Reading measure(JobContender contender) throws Exception {
        return postgres.inFreshDatabase(database -> measure(contender, database));
    }

    private Reading measure(JobContender contender, Database database) throws Exception {
        try (var site = Site.open(postgres, contender, database, LEASE)) {
            var doomed = site.start();
            doomed.work(1, FOR_EVER);
            doomed.submitEach(new Backlog(0, 1, 0, 1), 1);
            site.await(() -> doomed.started() == 1);
            var heir = site.start();
            heir.work(1, FOR_EVER);

            var killed = System.nanoTime();
            doomed.close();
            site.await(() -> heir.started() == 1);
            return new Reading(List.of(RESUMED.is((heir.ran().getFirst().start() - killed) / 1e9)), Map.of());
        }
    }
}

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
import java.util.stream.Stream;

/** How fast a backlog is worked off, and whether each target is left to one at a time, in order. */
public record Drain(Postgres postgres, int jobs) implements JobWorkload {
    private static final int WARM_UP = 50 * Site.TARGETS;
    private static final int FEW_TARGETS = 8;
    private static final int LINE = 4;
    private static final Duration HOLD = Duration.ofMillis(5);

    private static final Figure RATE = Figure.compared("jobs", Unit.PER_SECOND);

    @Override
    public String id() {
        return "jobs-drain";
    }

    @Override
    public String title() {
        return "Working off a backlog";
    }

    @Override
    public String method() {
        return """
                The jobs do nothing. One process works with %d slots; the time runs from the order to work until the last \
                job has ended in the database too. The backlog was submitted in bulks with one job for each target, after \
                %,d that do not count; then the tables were analysed. Each run notes when it began and ended; afterwards \
                as many slots take %d jobs for each of %d targets and hold each for %d ms. Over both, *exclusive* says \
                whether no run began while another of its target was going on, and *in order* whether none began after \
                a later one of its target, else how often; of all rounds the worst counts.""".formatted(Site.SLOTS, WARM_UP, LINE, FEW_TARGETS, HOLD.toMillis());
    }

    @Override
    public String situations() {
        return "jobs / targets";
    }

    @Override
    public String situation() {
        return String.format(Locale.ROOT, "%,d / %,d", jobs, Site.TARGETS);
    }

    @Override
    public List<JobContender> contenders() {
        return JobContenders.draining();
    }

    @Override
    public Reading measure(JobContender contender) throws Exception {
        return postgres.inFreshDatabase(database -> measure(contender, database));
    }

    private Reading measure(JobContender contender, Database database) throws Exception {
        try (var site = Site.open(postgres, contender, database, Site.LONG_LEASE)) {
            var backlog = contender.share(jobs);
            var process = site.start();
            var warmUp = new Backlog(0, contender.share(WARM_UP), 0, Site.TARGETS);
            process.submitInBulk(warmUp);
            site.drain(process, warmUp.count(), Duration.ZERO);

            process.submitInBulk(warmUp.next(backlog));
            site.settle();
            var drained = site.drain(process, backlog, Duration.ZERO);

            process.submitEach(new Backlog(0, FEW_TARGETS * LINE, Site.TARGETS, FEW_TARGETS), 1);
            var checked = site.drain(process, FEW_TARGETS * LINE, HOLD);

            var rate = RATE.is(backlog * 1e9 / drained.nanos());
            var promises = drained.runs().and(checked.runs()).promises();
            return new Reading(Stream.concat(Stream.of(rate), promises.stream()).toList(), Map.of());
        }
    }
}

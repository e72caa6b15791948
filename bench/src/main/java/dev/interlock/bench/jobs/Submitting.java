package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import dev.interlock.bench.report.Figure;
import dev.interlock.bench.report.Reading;
import dev.interlock.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How fast jobs are accepted while nobody works. */
public record Submitting(Postgres postgres, int jobs) implements JobWorkload {
    private static final int CALLERS = 16;
    private static final int BULK_CALLERS = 2;
    private static final int BULK = 10;

    private static final Figure EACH = Figure.compared("one by one", Unit.PER_SECOND);
    private static final Figure IN_BULK = Figure.compared("in bulk", Unit.PER_SECOND);

    @Override
    public String id() {
        return "jobs-submit";
    }

    @Override
    public String title() {
        return "Submitting";
    }

    @Override
    public String method() {
        return """
                One by one: %d callers of one process, each job committed by itself before the next. In bulk: %d callers, \
                %,d jobs in one call, ten times as many in all. As many of both come before and do not count.\
                """.formatted(CALLERS, BULK_CALLERS, Backlog.CHUNK);
    }

    @Override
    public String situations() {
        return "jobs";
    }

    @Override
    public String situation() {
        return String.format(Locale.ROOT, "%,d / %,d", jobs, BULK * jobs);
    }

    @Override
    public List<JobContender> contenders() {
        return JobContenders.all();
    }

    @Override
    public Reading measure(JobContender contender) throws Exception {
        return postgres.inFreshDatabase(database -> measure(contender, database));
    }

    private Reading measure(JobContender contender, Database database) throws Exception {
        try (var site = Site.open(postgres, contender, database, Site.LONG_LEASE)) {
            var process = site.start();
            var warmUp = new Backlog(0, jobs, 0, Site.TARGETS);
            process.submitEach(warmUp, CALLERS);
            var warmUpInBulk = warmUp.next(BULK * jobs);
            process.submitInBulk(warmUpInBulk, BULK_CALLERS);

            site.settle();
            var each = warmUpInBulk.next(jobs);
            var eachNanos = process.submitEach(each, CALLERS);
            site.settle();
            var bulkNanos = process.submitInBulk(each.next(BULK * jobs), BULK_CALLERS);
            return new Reading(
                    List.of(EACH.is(jobs * 1e9 / eachNanos), IN_BULK.is(BULK * jobs * 1e9 / bulkNanos)), Map.of());
        }
    }
}

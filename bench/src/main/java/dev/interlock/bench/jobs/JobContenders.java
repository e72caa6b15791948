package dev.interlock.bench.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Who takes part in which workload; the first of each list is the one the others are set against. */
final class JobContenders {
    private static final List<JvmContender> IN_JAVA = List.of(new InterlockJobs(), DbScheduler.fetchingAhead());
    private static final JvmContender SCHEDULER_DIRECT = DbScheduler.direct();

    private static final String GRAPHILE_LEFT = "SELECT EXISTS (SELECT FROM graphile_worker._private_jobs)";
    private static final String BOSS_LEFT =
            "SELECT EXISTS (SELECT FROM pgboss.job WHERE name = 'job' AND state < 'completed')";

    private static final String GRAPHILE =
            "graphile-worker 0.18.0 on Node 24.21.0, two connections more than slots, " + "`addJobs` for bulk; ";
    private static final String BATCHED = "`localQueue.size` 500, `completeJobBatchDelay` 0, as in its own benchmark";
    private static final String BOSS_ITSELF =
            "pg-boss 12.35.0 on Node 24.21.0, `burstWhenBatchFull`, polls every 500 ms, "
                    + "the shortest it takes, `insert` for bulk; ";
    private static final String BOSS = BOSS_ITSELF + "batches of 1,000 that run at once, however many slots; ";
    private static final String FEWER = "works off a tenth of the jobs";

    private static final JobContender GRAPHILE_NAMED = new NodeContender(
            "graphile-worker",
            GRAPHILE + BATCHED + "; a named queue for each target",
            true,
            GRAPHILE_LEFT,
            "graphile-named");
    private static final JobContender GRAPHILE_DIRECT = new NodeContender(
            "graphile-worker, direct",
            GRAPHILE + "a named queue for each target, no local queue, so that each slot fetches for itself; " + FEWER,
            true,
            GRAPHILE_LEFT,
            "graphile-direct",
            true);
    private static final JobContender GRAPHILE_PLAIN = new NodeContender(
            "graphile-worker, no exclusion", GRAPHILE + BATCHED, false, GRAPHILE_LEFT, "graphile-plain");
    private static final JobContender BOSS_STRICT =
            new NodeContender("pg-boss", BOSS + "policy `key_strict_fifo`, one worker", true, BOSS_LEFT, "boss-strict");
    private static final JobContender BOSS_SLOTS = new NodeContender(
            "pg-boss, direct",
            BOSS_ITSELF + "policy `key_strict_fifo`, a worker for each slot that fetches for itself; " + FEWER,
            true,
            BOSS_LEFT,
            "boss-slots",
            true);
    private static final JobContender BOSS_PLAIN =
            new NodeContender("pg-boss, no exclusion", BOSS + "two workers", false, BOSS_LEFT, "boss-plain");

    private JobContenders() {}

    static List<JobContender> all() {
        return withNode(GRAPHILE_NAMED, BOSS_STRICT, GRAPHILE_PLAIN, BOSS_PLAIN);
    }

    /** In their ways of keeping targets apart, and without. */
    static List<JobContender> draining() {
        var all = new ArrayList<>(
                withNode(GRAPHILE_DIRECT, BOSS_SLOTS, GRAPHILE_NAMED, BOSS_STRICT, GRAPHILE_PLAIN, BOSS_PLAIN));
        all.add(1, SCHEDULER_DIRECT);
        return all;
    }

    /** Those who keep the jobs of one target apart. */
    static List<JobContender> exclusive() {
        return exclusive(withNode(GRAPHILE_NAMED, BOSS_STRICT));
    }

    /** The same, set up for short waits. */
    static List<JobContender> prompt() {
        return exclusive(withNode(GRAPHILE_DIRECT, BOSS_STRICT));
    }

    /** Those who take back what a dead process ran; graphile-worker does so after four hours, and not earlier. */
    static List<JobContender> recovering() {
        return withNode(BOSS_STRICT);
    }

    private static List<JobContender> withNode(JobContender... inNode) {
        return Stream.concat(IN_JAVA.stream(), NodePeers.installed() ? Stream.of(inNode) : Stream.empty())
                .toList();
    }

    private static List<JobContender> exclusive(List<JobContender> all) {
        return all.stream().filter(JobContender::exclusive).toList();
    }

    static JvmContender inJava(String name) {
        return Stream.concat(IN_JAVA.stream(), Stream.of(SCHEDULER_DIRECT))
                .filter(one -> one.name().equals(name))
                .findAny()
                .orElseThrow();
    }

    /** Who is missing, for the reader of the report. */
    static List<String> notes() {
        return NodePeers.installed()
                ? List.of()
                : List.of("Not measured: graphile-worker and pg-boss, because npm could not install them.");
    }
}

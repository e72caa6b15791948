package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.bench.postgres.Postgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A contender in a database of its own, with the processes that work there. */
record Site(Postgres postgres, JobContender contender, Database database, Duration lease, List<JobProcess> processes)
        implements AutoCloseable {
    /** Long enough that none renews or loses anything while it is measured. */
    static final Duration LONG_LEASE = Duration.ofMinutes(20);

    static final int TARGETS = 1_000;
    static final int SLOTS = 16;

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(2);

    static Site open(Postgres postgres, JobContender contender, Database database, Duration lease) {
        return new Site(postgres, contender, database, lease, new ArrayList<>());
    }

    JobProcess start() throws IOException, InterruptedException {
        var process = contender.start(database, lease);
        processes.add(process);
        return process;
    }

    /** What autovacuum would have done, and no dirty pages of what came before. */
    void settle() throws SQLException {
        database.run("ANALYZE");
        postgres.checkpoint();
    }

    /** How the jobs of a backlog ran, and how long it took until the last of them was over in the database too. */
    record Drained(long nanos, Runs runs) {}

    Drained drain(JobProcess process, int jobs, Duration hold) throws IOException, SQLException, InterruptedException {
        var start = System.nanoTime();
        process.work(SLOTS, hold);
        await(() -> process.ended() >= jobs);
        await(() -> !unfinished());
        var nanos = System.nanoTime() - start;
        var runs = Runs.of(process.ran());
        process.rest();
        return new Drained(nanos, runs);
    }

    private boolean unfinished() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(contender.unfinished())) {
            row.next();
            return row.getBoolean(1);
        }
    }

    interface Condition {
        boolean holds() throws IOException, SQLException;
    }

    /** Fails when it takes longer than anybody would wait. */
    void await(Condition condition) throws IOException, SQLException, InterruptedException {
        if (!await(condition, PATIENCE)) {
            throw new IllegalStateException(contender.name() + " did not finish within " + PATIENCE);
        }
    }

    /** Whether it came to hold within the time. */
    static boolean await(Condition condition, Duration most) throws IOException, SQLException, InterruptedException {
        var end = System.nanoTime() + most.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    @Override
    public void close() {
        processes.forEach(JobProcess::close);
    }
}

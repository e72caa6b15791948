package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import java.io.IOException;
import java.time.Duration;

/** One way of keeping and running jobs on PostgreSQL, set up as its documentation has it for many of them. */
interface JobContender {
    /** The heading of its column. */
    String name();

    /** What a reader must know to judge its figures. */
    String settings();

    /** Whether it promises to run one job of a target at a time. */
    boolean exclusive();

    /** With how many of so many jobs it is measured: the slow ones would take minutes. */
    default int share(int jobs) {
        return jobs;
    }

    /** A query for one boolean: whether there is a job that has not ended. */
    String unfinished();

    /**
     * A process that submits and runs, when it is ready and its tables are there.
     *
     * @param lease after which a dead process is to be noticed; contenders with a longer minimum take that
     */
    JobProcess start(Database database, Duration lease) throws IOException, InterruptedException;
}

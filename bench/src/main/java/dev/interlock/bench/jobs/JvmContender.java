package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A contender in Java; {@link JobServant} is its process. */
abstract class JvmContender implements JobContender {
    /** Creates its tables unless they are there, and connects for so many callers. */
    abstract Client open(Database database, int callers, Duration lease) throws SQLException;

    interface Client extends AutoCloseable {
        void submit(Job job) throws SQLException;

        void submit(List<Job> jobs) throws SQLException;

        /** Works on what is there and what comes, so many at a time, until the answer is closed. */
        AutoCloseable work(int slots, Handler handler);

        @Override
        void close() throws SQLException;
    }

    interface Handler {
        void handle(Job job) throws InterruptedException;
    }

    @Override
    public JobProcess start(Database database, Duration lease) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return JobProcess.start(
                List.of(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JobServant.class.getName(),
                        name(),
                        Long.toString(lease.toSeconds())),
                database.url());
    }
}

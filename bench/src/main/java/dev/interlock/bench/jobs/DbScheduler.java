package dev.interlock.bench.jobs;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.bench.contender.Jar;
import dev.interlock.bench.postgres.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** db-scheduler, which locks what it fetches. It knows no exclusion between executions. */
final class DbScheduler extends JvmContender {
    private static final String TASK = "job";
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MISSED = 4;

    /** As its documentation has it, without the columns and indexes of priorities, which are for those who use them. */
    private static final List<String> CREATE = List.of("""
            CREATE TABLE IF NOT EXISTS scheduled_tasks (
                task_name text NOT NULL,
                task_instance text NOT NULL,
                task_data bytea,
                execution_time timestamptz NOT NULL,
                picked boolean NOT NULL,
                picked_by text,
                last_success timestamptz,
                last_failure timestamptz,
                consecutive_failures int,
                last_heartbeat timestamptz,
                version bigint NOT NULL,
                PRIMARY KEY (task_name, task_instance))""", """
            CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)""", """
            CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)""");

    private final String name;
    private final double lower;
    private final double upper;
    private final String why;

    private DbScheduler(String name, double lower, double upper, String why) {
        this.name = name;
        this.lower = lower;
        this.upper = upper;
        this.why = why;
    }

    /** Fetches as many executions as it has threads. */
    static DbScheduler direct() {
        return new DbScheduler("db-scheduler, direct", 0.5, 1.0, "as its documentation has it for normal usage");
    }

    static DbScheduler fetchingAhead() {
        return new DbScheduler("db-scheduler, no exclusion", 4.0, 20.0, "as in its own benchmark");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String settings() {
        return Jar.of(Scheduler.class)
                + ", `pollUsingLockAndFetch(%.1f, %.1f)` %s, polls every ".formatted(lower, upper, why)
                + POLL.toMillis() + " ms, `scheduleBatch` for bulk; HikariCP, two connections more than threads";
    }

    @Override
    public boolean exclusive() {
        return false;
    }

    @Override
    public String unfinished() {
        return "SELECT EXISTS (SELECT FROM scheduled_tasks)";
    }

    @Override
    Client open(Database database, int callers, Duration lease) throws SQLException {
        database.run(CREATE.toArray(String[]::new));
        var pool = database.pool(callers + 2);
        var submitted = running(job -> {});
        return new SchedulerJobs(
                pool, SchedulerClient.Builder.create(pool, submitted).build(), submitted, lease, lower, upper);
    }

    private static OneTimeTask<Void> running(Handler handler) {
        return Tasks.oneTime(TASK).execute((instance, context) -> {
            try {
                handler.handle(job(instance.getId()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static Job job(String id) {
        var fields = id.split(":", 2);
        return new Job(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }

    private record SchedulerJobs(
            HikariDataSource pool,
            SchedulerClient client,
            OneTimeTask<Void> task,
            Duration lease,
            double lower,
            double upper)
            implements Client {
        @Override
        public void submit(Job job) {
            client.scheduleIfNotExists(instance(job), Instant.now());
        }

        @Override
        public void submit(List<Job> jobs) {
            client.scheduleBatch(
                    jobs.stream().<TaskInstance<?>>map(this::instance).toList(), Instant.now());
        }

        private TaskInstance<Void> instance(Job job) {
            return task.instance(job.target() + ":" + job.number());
        }

        @Override
        public AutoCloseable work(int slots, Handler handler) {
            var scheduler = Scheduler.create(pool, running(handler))
                    .threads(slots)
                    .pollUsingLockAndFetch(lower, upper)
                    .pollingInterval(POLL)
                    .heartbeatInterval(lease.dividedBy(MISSED))
                    .missedHeartbeatsLimit(MISSED)
                    .build();
            scheduler.start();
            return scheduler::stop;
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}

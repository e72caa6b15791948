package dev.interlock.bench.jobs;

import dev.interlock.bench.postgres.Database;
import dev.interlock.core.Locks;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.core.work.WorkStores;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.engine.Duties;
import dev.interlock.engine.Janitor;
import dev.interlock.engine.Worker;
import dev.interlock.engine.WorkerSettings;
import dev.interlock.engine.Workplace;
import dev.interlock.postgres.PostgresLockStore;
import dev.interlock.postgres.PostgresSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** Ours, through the library as a service would use it: locks with tokens, phases, audit events and durable ends. */
final class InterlockJobs extends JvmContender {
    private static final String WORKFLOW = "job";

    /** What a dead worker ran is run again at once, as the others do. */
    private static final Retry AGAIN = new Retry(100, Duration.ofMillis(1), Duration.ofMillis(1), true);

    @Override
    public String name() {
        return "Interlock";
    }

    @Override
    public String settings() {
        return "default settings of store, worker and janitor; each execution takes the lock of its target with a token of its own,"
                + " and leaves three events in the audit trail";
    }

    @Override
    public boolean exclusive() {
        return true;
    }

    @Override
    public String unfinished() {
        return "SELECT EXISTS (SELECT FROM interlock.execution WHERE phase IN ('PENDING', 'RUNNING'))";
    }

    @Override
    Client open(Database database, int callers, Duration lease) {
        var source = new PGSimpleDataSource();
        source.setUrl(database.url());
        PostgresSchema.migrate(source);
        var ports = SystemPorts.create();
        var stores = PostgresLockStore.open(source, ports).work();
        var policy = Policy.PLAIN.withLease(lease).withRetry(AGAIN);
        var job = Workflow.plain(WORKFLOW).withPolicy(policy);
        stores.catalogue().publish(new Catalogue(Map.of(WORKFLOW, job), Map.of()), "bench");
        return new Jobs(stores, ports);
    }

    private record Jobs(WorkStores stores, Ports ports) implements Client {
        @Override
        public void submit(Job job) {
            submit(List.of(job));
        }

        @Override
        public void submit(List<Job> jobs) {
            stores.executions().submit(jobs.stream().map(Jobs::request).toList());
        }

        private static Request request(Job job) {
            var parameters = Map.of("target", Integer.toString(job.target()), "number", Integer.toString(job.number()));
            return Request.of(WORKFLOW, job.name(), parameters, "bench");
        }

        @Override
        public AutoCloseable work(int slots, Handler handler) {
            var place = new Workplace(
                    stores.executions(),
                    stores.catalogue(),
                    stores.workers(),
                    stores.logs(),
                    stores.locks(),
                    ThisProcess.identity(),
                    ports);
            var locks = new Locks(stores.locks(), ThisProcess.identity(), Settings.DEFAULT, ports);
            var janitor = new Janitor(stores.janitor(), locks, Duties.DEFAULT, ports);
            janitor.start();
            var worker = Worker.at(place)
                    .with(WorkerSettings.DEFAULT.withSlots(slots))
                    .handling(WORKFLOW, work -> handler.handle(job(work.parameters())))
                    .start();
            return () -> {
                worker.close();
                janitor.close();
            };
        }

        private static Job job(Map<String, String> parameters) {
            return new Job(number(parameters, "target"), number(parameters, "number"));
        }

        private static int number(Map<String, String> parameters, String name) {
            return Integer.parseInt(parameters.getOrDefault(name, ""));
        }

        @Override
        public void close() {
            stores.close();
        }
    }
}

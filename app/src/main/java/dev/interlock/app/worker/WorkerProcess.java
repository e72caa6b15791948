package dev.interlock.app.worker;

import dev.interlock.cli.WorkerPlan;
import dev.interlock.core.Identity;
import dev.interlock.core.Locks;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.WorkStores;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.engine.Duties;
import dev.interlock.engine.Janitor;
import dev.interlock.engine.Sealer;
import dev.interlock.engine.Worker;
import dev.interlock.engine.WorkerSettings;
import dev.interlock.engine.Workplace;
import dev.interlock.supervise.Exit;
import dev.interlock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The worker of {@code interlock worker}: one process, one worker, until it is drained. */
public final class WorkerProcess {
    private static final int PREFETCH = 48;

    private final Identity identity;
    private final Ports ports;
    private final Map<String, @Nullable String> concealed;

    /** @param concealed what commands must not see of this process's environment */
    public WorkerProcess(Identity identity, Ports ports, Map<String, @Nullable String> concealed) {
        this.identity = identity;
        this.ports = ports;
        this.concealed = concealed;
    }

    /**
     * Works until it is told to leave, and answers with the exit code.
     *
     * @throws IllegalArgumentException if the plan asks for what cannot be
     */
    public int run(WorkStores stores, AuditTrail audit, WorkerPlan plan, Consumer<String> talk) {
        requireAccess(stores);
        try (WorkerMetrics metrics = new WorkerMetrics(stores.gauges(), ports, InstantSource.system());
                MetricsEndpoint _ = shown(plan.metrics(), metrics);
                Wakening wakening = wakening(plan.queue(), stores, metrics, talk)) {
            Worker worker = worker(stores, plan, metrics, wakening);
            Janitor janitor = plan.janitor() ? janitor(stores, audit, metrics) : null;
            talk.accept("Worker " + worker.id() + " runs up to " + plan.slots() + " executions at once.");
            onSignal(() -> leave(worker, janitor, wakening));
            worker.gone().join();
            leave(worker, janitor, wakening);
            return 0;
        }
    }

    /** A missing right is told to whoever starts the worker: one that is there and can do nothing is of no use. */
    private static void requireAccess(WorkStores stores) {
        stores.workers().workers();
        stores.executions().find("");
    }

    private static @Nullable MetricsEndpoint shown(@Nullable String address, WorkerMetrics metrics) {
        return address == null ? null : MetricsEndpoint.open(address, metrics.registry());
    }

    private Wakening wakening(@Nullable String queue, WorkStores stores, WorkerMetrics metrics, Consumer<String> talk) {
        if (queue == null) {
            return Wakening.NONE;
        }
        if (queue.equals(WorkerPlan.NO_QUEUE)) {
            stores.outbox().shut();
            talk.accept("Submits send no wake-ups to a queue any more, unless another worker has one.");
            return Wakening.NONE;
        }
        Wakening wakening = SqsWakening.start(queue, stores, ports, metrics.registry());
        talk.accept("Wake-ups go through " + queue + ", too.");
        return wakening;
    }

    /** First the wake-ups: whoever stays should get them. */
    private static void leave(Worker worker, @Nullable Janitor janitor, Wakening wakening) {
        wakening.close();
        if (janitor != null) {
            janitor.close();
        }
        worker.close();
    }

    /** A signal that would end the process drains it first; it has then done what it was asked to. */
    private static void onSignal(Runnable drain) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            drain.run();
            Exit.with(0);
        }));
    }

    private Worker worker(WorkStores stores, WorkerPlan plan, WorkerMetrics metrics, Wakening wakening) {
        Workplace place = new Workplace(
                stores.executions(),
                stores.catalogue(),
                stores.workers(),
                stores.logs(),
                stores.locks(),
                identity,
                ports);
        Worker.Builder worker = Worker.at(place).observedBy(metrics.observer()).wokenBy(wakening);
        return offering(plan.here(), plan, worker).start();
    }

    /** Under locks of its own: it goes on while the worker drains. */
    private Janitor janitor(WorkStores stores, AuditTrail audit, WorkerMetrics metrics) {
        Locks locks = new Locks(stores.locks(), identity, Settings.DEFAULT, ports);
        Duties duties = Duties.DEFAULT.withSealer(Sealer.of(audit)).withCounter(metrics.observer());
        Janitor janitor = new Janitor(stores.janitor(), locks, duties, ports);
        janitor.start();
        return janitor;
    }

    private Worker.Builder offering(Catalogue here, WorkerPlan plan, Worker.Builder worker) {
        Supervisor supervisor = Supervisor.embedded();
        for (Workflow workflow : here.workflows().values()) {
            offer(worker, workflow.name(), workflow.command(), supervisor, plan);
        }
        for (Lifecycle lifecycle : here.lifecycles().values()) {
            for (Step step : lifecycle.declaration().steps()) {
                String name = Claimant.offer(lifecycle.name(), step.name().text());
                offer(worker, name, step.workflow().command(), supervisor, plan);
            }
        }
        return worker.with(WorkerSettings.DEFAULT
                .withSlots(plan.slots())
                .withPrefetch(PREFETCH)
                .withDrainGrace(plan.drainGrace())
                .withVersion(plan.version()));
    }

    /** Without a command it is somebody else's to do, with a handler. */
    private void offer(
            Worker.Builder worker, String name, List<String> command, Supervisor supervisor, WorkerPlan plan) {
        if (!command.isEmpty()) {
            worker.handlingByEvidence(
                    name, new CommandHandler(supervisor, command, plan.stopGrace(), concealed, ports));
        }
    }
}

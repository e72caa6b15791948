package dev.interlock.memory;

import dev.interlock.core.LockName;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.janitor.Takeover;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.workflow.Workflow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;

/** Puts right, at one instant, what is there to be found at that instant. Each tells what there is now. */
final class Tidying {
    private final MemoryExecutionStore executions;
    private final MemoryWorkers workers;
    private final Ledger ledger;
    private final Instant now;

    Tidying(MemoryExecutionStore executions, MemoryWorkers workers, Instant now) {
        this.executions = executions;
        this.workers = workers;
        this.ledger = executions.ledger();
        this.now = now;
    }

    String act(Finding finding, Patience patience) {
        return switch (finding) {
            case Finding.ExpiredAttempt expired -> close(expired, patience);
            case Finding.LockStateLost lost -> close(lost);
            case Finding.OrphanedLock orphan -> order(orphan);
            case Finding.Overdue overdue -> cancel(overdue);
            case Finding.ResourceExpired expired -> destroy(expired);
            case Finding.RunningLong running -> told(running);
            case Finding.DeadLetterOld old -> told(old);
            case Finding.DeadLetterSpent spent -> purge(spent);
            case Finding.GoneWorker gone -> remove(gone);
            case Finding.Stranded stranded -> throw impossible(finding);
            case Finding.GoneWaiters waiters -> throw impossible(finding);
            case Finding.OverlappingGrants overlap -> throw impossible(finding);
        };
    }

    private static IllegalStateException impossible(Finding finding) {
        return new IllegalStateException("this cannot be in a memory: " + finding);
    }

    private String close(Finding.ExpiredAttempt finding, Patience patience) {
        ExecutionRecord record = record(finding.execution());
        Execution execution = record.execution();
        return closed(
                record,
                record.cancellation() != null
                        ? Takeover.whileCancelled(execution, finding.token(), now)
                        : Takeover.afterLoss(execution, finding.token(), retry(record), patience.crashes(), now));
    }

    private String close(Finding.LockStateLost finding) {
        ExecutionRecord record = record(finding.execution());
        return closed(record, Takeover.lockStateLost(record.execution(), finding.token(), now));
    }

    /** What nobody declares any more may not be repeated. */
    private Retry retry(ExecutionRecord record) {
        String name = record.execution().request().workflow();
        Workflow workflow = ledger.catalogue().workflow(name, ledger.resource(record.target()));
        return workflow == null ? Retry.NONE : workflow.policy().retry();
    }

    private String closed(ExecutionRecord record, Transition transition) {
        record.move(transition);
        if (!record.isOpen()) {
            record.bury(now);
        }
        new Finishing(ledger, now).settle(record);
        Instant next = record.execution().nextAttemptAt();
        return next == null
                ? "The execution has failed and is among the dead letters."
                : "Another attempt follows at " + next.truncatedTo(ChronoUnit.SECONDS) + ".";
    }

    private String order(Finding.OrphanedLock finding) {
        ledger.memory()
                .lock(LockName.of(finding.target()))
                .ifPresent(lock -> ledger.memory().order(lock, MemoryJanitor.ACTOR, finding.sentence(), now));
        return "";
    }

    private String cancel(Finding.Overdue finding) {
        ExecutionRecord record = record(finding.execution());
        record.cancel(new ExecutionRecord.Order(MemoryJanitor.ACTOR, finding.sentence()));
        ledger.tellWorkers();
        return new Cancellation.Stopping(record.execution()).sentence();
    }

    private String destroy(Finding.ResourceExpired finding) {
        Request request = Request.of(Inspecting.DESTROY, finding.target(), Map.of(), MemoryJanitor.ACTOR)
                .withOnBusy(OnBusy.JOIN)
                .withIdempotencyKey(Inspecting.key(finding));
        return executions.submit(request, now).sentence();
    }

    private String told(Finding finding) {
        ledger.tell(finding);
        return "";
    }

    private String purge(Finding.DeadLetterSpent finding) {
        record(finding.execution()).exhume();
        return "";
    }

    private String remove(Finding.GoneWorker finding) {
        workers.forget(finding.worker());
        return "";
    }

    private ExecutionRecord record(String execution) {
        return Objects.requireNonNull(ledger.record(execution));
    }
}

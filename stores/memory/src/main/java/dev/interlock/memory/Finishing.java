package dev.interlock.memory;

import dev.interlock.core.Holder;
import dev.interlock.core.LockName;
import dev.interlock.core.Past;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The end of attempts, at one instant: phase, resource, lock, and whoever is next. */
final class Finishing {
    private final Ledger ledger;
    private final Instant now;

    Finishing(Ledger ledger, Instant now) {
        this.ledger = ledger;
        this.now = now;
    }

    Transition finish(Finish finish) {
        ExecutionRecord record = ledger.record(finish.id());
        if (record == null) {
            return new Transition.Stale(finish.token(), 0);
        }
        if (wasFinished(record.execution(), finish)) {
            return new Transition.Moved(record.execution());
        }
        Claimed claimed = record.claimed();
        if (claimed == null || claimed.token() != finish.token() || isSuperseded(claimed)) {
            return new Transition.Stale(finish.token(), claimed == null ? 0 : claimed.token());
        }
        Transition answer = record.move(move(record, finish));
        if (answer instanceof Transition.Moved) {
            release(claimed);
            settle(record);
        }
        return answer;
    }

    /** The same was said before, and its answer was lost on the way. */
    private static boolean wasFinished(Execution execution, Finish finish) {
        Attempt attempt = execution.attempts().stream()
                .filter(candidate -> candidate.token() == finish.token() && !candidate.isOpen())
                .findFirst()
                .orElse(null);
        if (attempt == null || attempt.end() == null) {
            return false;
        }
        Failure failure = attempt.end().failure();
        return switch (finish.outcome()) {
            case Outcome.Completed completed -> failure == null;
            case Outcome.Failed failed -> failed.failure().equals(failure);
            case Outcome.Stopped stopped -> execution.phase() == Phase.CANCELLED;
            case Outcome.HandedBack back -> failure != null && failure.code().equals(Failure.HANDED_BACK);
        };
    }

    /** Somebody else has been granted the lock since. */
    private boolean isSuperseded(Claimed claimed) {
        return ledger.memory()
                .lock(claimed.lock().name())
                .filter(lock -> lock.latest().token() == claimed.token())
                .isEmpty();
    }

    private Transition move(ExecutionRecord record, Finish finish) {
        Execution execution = record.execution();
        return switch (finish.outcome()) {
            case Outcome.Completed(@Nullable Integer exit) -> execution.complete(finish.token(), now, exit);
            case Outcome.Failed failed ->
                failed(record, began(execution, finish, failed.workBeganAt()), finish, failed);
            case Outcome.Stopped(@Nullable Integer exit, @Nullable Instant workBeganAt) -> {
                ExecutionRecord.Order order = record.cancellation();
                yield order == null
                        ? new Transition.Illegal(Phase.RUNNING, Phase.CANCELLED)
                        : began(execution, finish, workBeganAt)
                                .cancel(finish.token(), now, exit, order.by(), order.reason());
            }
            case Outcome.HandedBack(String reason) -> {
                Failure failure =
                        new Failure(FailureKind.NOT_STARTED, RetryClass.TRANSIENT, Failure.HANDED_BACK, reason);
                yield again(record, execution, finish, null, failure, now);
            }
        };
    }

    private static Execution began(Execution execution, Finish finish, @Nullable Instant at) {
        return at != null && execution.workBegan(finish.token(), at) instanceof Transition.Moved(Execution begun)
                ? begun
                : execution;
    }

    private Transition failed(ExecutionRecord record, Execution execution, Finish finish, Outcome.Failed how) {
        return switch (how.retry().after(execution, how.failure(), now)) {
            case Retry.Decision.Again(Instant at) -> again(record, execution, finish, how.exit(), how.failure(), at);
            case Retry.Decision.GiveUp gaveUp -> {
                record.bury(now);
                yield execution.fail(finish.token(), now, how.exit(), how.failure());
            }
        };
    }

    /** Back in line; but what somebody has cancelled meanwhile is not tried again. */
    private Transition again(
            ExecutionRecord record,
            Execution execution,
            Finish finish,
            @Nullable Integer exit,
            Failure failure,
            Instant at) {
        ExecutionRecord.Order order = record.cancellation();
        return order == null
                ? execution.retry(finish.token(), now, exit, failure, at)
                : execution.cancel(finish.token(), now, exit, order.by(), order.reason());
    }

    private void release(Claimed claimed) {
        Memory memory = ledger.memory();
        LockName name = claimed.lock().name();
        Holder holder = claimed.lock().holder();
        memory.lock(name)
                .filter(lock -> lock.tenure(claimed.token(), holder)
                        .filter(Tenure::isCurrent)
                        .isPresent())
                .ifPresent(lock -> {
                    lock.latest().lease().acknowledge(name, claimed.token());
                    memory.end(lock, Past.Event.RELEASED, now, now);
                });
    }

    /** What is to be tried again stands in line again, and keeps its resource; what is over lets go of it. */
    void settle(ExecutionRecord record) {
        if (record.isOpen()) {
            ledger.pending().add(record);
            ledger.tellWorkers();
        } else {
            leftPending(record);
        }
    }

    /** The execution is over: its resource takes the state that this leads to, and the next in line may start. */
    void leftPending(ExecutionRecord record) {
        ledger.pending().remove(record);
        Resource resource = ledger.resource(record.target());
        if (resource != null && record.id().equals(resource.under())) {
            letGo(record, resource);
        }
        if (ledger.of(record.target()).stream().anyMatch(ledger.pending()::contains)) {
            ledger.tellWorkers();
        }
    }

    private void letGo(ExecutionRecord record, Resource resource) {
        String workflow = record.execution().request().workflow();
        if (record.execution().phase() == Phase.COMPLETED) {
            ledger.change(record.target(), resource.succeed(workflow, record.id()));
            clearRecovered(record, resource.lifecycle());
        } else {
            ledger.change(record.target(), resource.fail(workflow, record.id()));
        }
    }

    /** A success of what starts from the state that a failure led to has put that failure right. */
    private void clearRecovered(ExecutionRecord recovery, Lifecycle lifecycle) {
        Clearance by = new Clearance("recovery by " + recovery.id(), "what had failed has been recovered from", now);
        for (ExecutionRecord failed : ledger.of(recovery.target())) {
            FailureKind kind = failed.execution().gravestFailure();
            Step step = lifecycle.step(failed.execution().request().workflow());
            boolean recovered = kind != null
                    && kind.leavesDoubt()
                    && step != null
                    && lifecycle.recoversFrom(
                            step.onFailure().text(),
                            recovery.execution().request().workflow());
            if (recovered && failed.execution().clear(by) instanceof Clearance.Answer.Cleared(Execution cleared)) {
                failed.set(cleared);
            }
        }
    }
}

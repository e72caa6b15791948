package dev.interlock.core.admission;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Clearance;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.execution.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Executions that have ended, so many seconds before or after noon, each made by its own verbs. */
final class Past {
    static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    private Past() {}

    static Instant at(long seconds) {
        return NOON.plusSeconds(seconds);
    }

    static Execution completed(String id, String workflow, long end) {
        return moved(running(id, workflow, end).complete(1, at(end), 0));
    }

    /** Failed, and nothing had run. */
    static Execution notStarted(String id, String workflow, long end) {
        return failed(running(id, workflow, end), end, false);
    }

    /** Failed in the middle. */
    static Execution broken(String id, String workflow, long end) {
        return failed(moved(running(id, workflow, end).workBegan(1, at(end))), end, false);
    }

    /** Its runner was lost. */
    static Execution lost(String id, String workflow, long end) {
        return failed(running(id, workflow, end), end, true);
    }

    /** Broke off in the middle, was tried again, and then did not even start. */
    static Execution brokenThenNotStarted(String id, String workflow, long end) {
        Execution second =
                moved(brokenThenWaiting(id, workflow, end).start(Attempt.started(2, "host:1:a", 2, at(end))));
        return moved(second.fail(2, at(end), 127, failure(second, false)));
    }

    /** Broke off in the middle, and before it was tried again its workflow had been taken away. */
    static Execution brokenThenMalformed(String id, String workflow, long end) {
        return moved(brokenThenWaiting(id, workflow, end).reject(at(end), "InvalidSpec", "No such workflow."));
    }

    /** Broke off in the middle, and somebody did not want it to be tried again. */
    static Execution brokenThenCancelled(String id, String workflow, long end) {
        return moved(brokenThenWaiting(id, workflow, end).cancel(at(end), "bob", "enough"));
    }

    private static Execution brokenThenWaiting(String id, String workflow, long end) {
        Execution began = moved(running(id, workflow, end).workBegan(1, at(end)));
        Failure failure = new Failure(FailureKind.STARTED, RetryClass.TRANSIENT, "TIMEOUT", "slow");
        return moved(began.retry(1, at(end), null, failure, at(end)));
    }

    static Execution cancelledMidway(String id, String workflow, long end) {
        Execution began = moved(running(id, workflow, end).workBegan(1, at(end)));
        return moved(began.cancel(1, at(end), 143, "bob", "enough"));
    }

    static Execution cancelledUnstarted(String id, String workflow, long end) {
        return moved(running(id, workflow, end).cancel(1, at(end), null, "bob", "enough"));
    }

    static Execution malformed(String id, String workflow, long end) {
        return moved(pending(id, workflow, end).reject(at(end), "InvalidSpec", "A target must not be empty."));
    }

    static Execution skipped(String id, String workflow, long end) {
        return moved(pending(id, workflow, end).skip(new Ending.Skipped(at(end), "ResourceBusy", "Blocked.", null)));
    }

    static Execution cleared(Execution failed) {
        return switch (failed.clear(new Clearance("bob", "looked at it", NOON))) {
            case Clearance.Answer.Cleared(Execution execution) -> execution;
            case Clearance.Answer.AlreadyCleared already -> throw new AssertionError(already);
            case Clearance.Answer.NothingToClear nothing -> throw new AssertionError(nothing);
        };
    }

    static Execution pending(String id, String workflow, long submitted) {
        return Execution.submitted(id, Request.of(workflow, "prod/c1", Map.of(), "alice"), at(submitted));
    }

    static Execution running(String id, String workflow, long end) {
        return moved(pending(id, workflow, end)
                .start(Attempt.started(1, "host:1:a", 1, at(end).minus(Duration.ofSeconds(1)))));
    }

    private static Execution failed(Execution running, long end, boolean lost) {
        return moved(running.fail(1, at(end), null, failure(running, lost)));
    }

    private static Failure failure(Execution running, boolean lost) {
        return lost
                ? running.running().lost(Failure.WORKER_TIMEOUT, "no word from host")
                : running.running().failure(RetryClass.PERMANENT, "EXIT", "exit code 1");
    }

    static Execution moved(Transition transition) {
        return switch (transition) {
            case Transition.Moved(Execution execution) -> execution;
            case Transition.Illegal illegal -> throw new AssertionError(illegal.sentence());
            case Transition.Stale stale -> throw new AssertionError(stale.sentence());
        };
    }
}

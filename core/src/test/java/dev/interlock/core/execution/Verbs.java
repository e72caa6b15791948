package dev.interlock.core.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/** An execution in each phase, and every verb that moves one. */
final class Verbs {
    static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    static final long TOKEN = 7;

    record Verb(Phase from, Phase to, Function<Execution, Transition> apply) {
        Transition apply(Execution execution) {
            return apply.apply(execution);
        }
    }

    private Verbs() {}

    static Map<String, Verb> all() {
        return Map.of(
                "start", new Verb(Phase.PENDING, Phase.RUNNING, it -> it.start(next(it))),
                "complete", new Verb(Phase.RUNNING, Phase.COMPLETED, it -> it.complete(TOKEN, NOON, 0)),
                "fail", new Verb(Phase.RUNNING, Phase.FAILED, it -> it.fail(TOKEN, NOON, 1, transientFailure())),
                "retry",
                        new Verb(
                                Phase.RUNNING,
                                Phase.PENDING,
                                it -> it.retry(TOKEN, NOON, 1, transientFailure(), NOON.plus(Duration.ofMinutes(5)))),
                "cancel running",
                        new Verb(Phase.RUNNING, Phase.CANCELLED, it -> it.cancel(TOKEN, NOON, null, "bob", "enough")),
                "cancel pending", new Verb(Phase.PENDING, Phase.CANCELLED, it -> it.cancel(NOON, "bob", "enough")),
                "skip",
                        new Verb(
                                Phase.PENDING,
                                Phase.SKIPPED,
                                it -> it.skip(new Ending.Skipped(NOON, "ResourceBusy", "Blocked.", null))),
                "reject", new Verb(Phase.PENDING, Phase.FAILED, it -> it.reject(NOON, "InvalidSpec", "No target.")));
    }

    static Execution in(Phase phase) {
        Execution pending = Execution.submitted("exec-1", Request.of("CREATE", "prod/c1", Map.of(), "alice"), NOON);
        Execution running = moved(pending.start(Attempt.started(1, "host:1:a", TOKEN, NOON)));
        return switch (phase) {
            case PENDING -> pending;
            case RUNNING -> running;
            case COMPLETED -> moved(running.complete(TOKEN, NOON, 0));
            case FAILED -> moved(running.fail(TOKEN, NOON, 1, transientFailure()));
            case SKIPPED -> moved(pending.skip(new Ending.Skipped(NOON, "ResourceBusy", "Blocked.", null)));
            case CANCELLED -> moved(pending.cancel(NOON, "bob", "enough"));
        };
    }

    static Attempt next(Execution execution) {
        return Attempt.started(
                execution.attempts().size() + 1,
                "host:1:a",
                TOKEN + execution.attempts().size(),
                NOON);
    }

    static Failure transientFailure() {
        return new Failure(FailureKind.NOT_STARTED, RetryClass.TRANSIENT, "THROTTLED", "slow down");
    }

    static Execution moved(Transition transition) {
        return switch (transition) {
            case Transition.Moved(Execution execution) -> execution;
            case Transition.Illegal illegal -> throw new AssertionError(illegal.sentence());
            case Transition.Stale stale -> throw new AssertionError(stale.sentence());
        };
    }
}

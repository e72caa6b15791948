package dev.interlock.core.janitor;

import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.Transition;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What becomes of an execution whose runner is gone; nobody can tell how far that had come. */
public final class Takeover {
    private Takeover() {}

    /**
     * Closes the attempt: another one follows where the workflow says that this is safe, unless its runners keep dying.
     *
     * @param crashes with so many lost runners it is given up
     */
    public static Transition afterLoss(Execution execution, long token, Retry retry, int crashes, Instant at) {
        Attempt running = execution.running();
        if (running == null || running.token() != token) {
            return stale(token, running);
        }
        Failure failure = running.lost(
                Failure.WORKER_TIMEOUT, "Worker " + running.owner() + " was lost; how far it had come is not known.");
        boolean poisonous = lostRunners(execution) + 1 >= crashes;
        return !poisonous && retry.after(execution, failure, at) instanceof Retry.Decision.Again(Instant next)
                ? execution.retry(token, at, null, failure, next)
                : execution.fail(token, at, null, failure);
    }

    /** As {@link #afterLoss}, for what somebody wanted stopped: nobody has confirmed that it was, and nobody wants it again. */
    public static Transition whileCancelled(Execution execution, long token, Instant at) {
        return afterLoss(execution, token, Retry.NONE, 1, at);
    }

    /** Ends an attempt that the locks know nothing of. It is never done again by itself. */
    public static Transition lockStateLost(Execution execution, long token, Instant at) {
        Attempt running = execution.running();
        if (running == null || running.token() != token) {
            return stale(token, running);
        }
        String message = "The store knows nothing of token " + token + ", under which this ran on " + running.owner()
                + "; whether it still runs is not known.";
        return execution.fail(token, at, null, running.lost(Failure.LOCK_STATE_LOST, message));
    }

    private static Transition stale(long token, @Nullable Attempt running) {
        return new Transition.Stale(token, running == null ? 0 : running.token());
    }

    private static long lostRunners(Execution execution) {
        return execution.attempts().stream()
                .map(Attempt::end)
                .filter(Objects::nonNull)
                .map(Attempt.End::failure)
                .filter(Objects::nonNull)
                .filter(failure -> failure.code().equals(Failure.WORKER_TIMEOUT))
                .count();
    }
}

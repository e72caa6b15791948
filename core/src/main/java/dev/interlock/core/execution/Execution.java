package dev.interlock.core.execution;

import dev.interlock.core.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to do one thing to one target, from submission to its one ending. The phase is not stored beside the
 * attempts and the ending but read from them, so that they cannot contradict each other.
 *
 * <p>Every verb is a compare-and-set on phase and token; it answers, and changes nothing that exists.
 *
 * @param id ours, made before anything starts
 * @param nextAttemptAt when a failed attempt is to be followed by another; null otherwise
 * @param clearance set once a person has cleared its failure
 */
public record Execution(
        String id,
        Request request,
        Instant submittedAt,
        List<Attempt> attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable Ending ending,
        @Nullable Clearance clearance) {
    private static final int MAX_ID = 256;

    /** The order in which executions of one target take their turn. */
    public static final Comparator<Execution> ORDER =
            Comparator.comparing(Execution::submittedAt).thenComparing(Execution::id);

    public Execution {
        attempts = List.copyOf(attempts);
        if (id.isBlank()) {
            throw new IllegalArgumentException("The id of an execution must not be empty.");
        }
        Text.checkLine("The id of an execution", id, MAX_ID);
        for (int at = 0; at < attempts.size(); at++) {
            Attempt attempt = attempts.get(at);
            boolean mayBeOpen = at == attempts.size() - 1 && ending == null;
            if (attempt.number() != at + 1 || (attempt.isOpen() && !mayBeOpen)) {
                throw new IllegalArgumentException("Attempt " + attempt.number() + " of execution " + id
                        + " is out of order, or open though it must have ended.");
            }
        }
    }

    public static Execution submitted(String id, Request request, Instant at) {
        return new Execution(id, request, at, List.of(), null, null, null);
    }

    public Phase phase() {
        if (ending != null) {
            return ending.phase();
        }
        return running() == null ? Phase.PENDING : Phase.RUNNING;
    }

    public @Nullable Instant startedAt() {
        return attempts.isEmpty() ? null : attempts.get(0).startedAt();
    }

    public @Nullable Instant completedAt() {
        return ending == null ? null : ending.at();
    }

    /** The attempt that runs; null when none does. */
    public @Nullable Attempt running() {
        Attempt last = attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
        return last != null && last.isOpen() ? last : null;
    }

    /** The gravest failure of its attempts: what the second did not even start, the first may have left half done. */
    public @Nullable FailureKind gravestFailure() {
        return attempts.stream()
                .map(Attempt::end)
                .filter(Objects::nonNull)
                .map(Attempt.End::failure)
                .filter(Objects::nonNull)
                .map(Failure::kind)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Pending to Running. */
    public Transition start(Attempt attempt) {
        long newest = attempts.isEmpty() ? 0 : attempts.get(attempts.size() - 1).token();
        if (!phase().mayBecome(Phase.RUNNING)) {
            return new Transition.Illegal(phase(), Phase.RUNNING);
        }
        if (attempt.number() != attempts.size() + 1 || attempt.token() <= newest) {
            return new Transition.Stale(attempt.token(), 0);
        }
        List<Attempt> more = new ArrayList<>(attempts);
        more.add(attempt);
        return new Transition.Moved(new Execution(id, request, submittedAt, more, null, null, clearance));
    }

    /** Evidence, not a step: the running attempt has begun to work. */
    public Transition workBegan(long token, Instant at) {
        Attempt running = running();
        if (running == null || running.token() != token) {
            return new Transition.Stale(token, running == null ? 0 : running.token());
        }
        return new Transition.Moved(withLast(running.withWorkBegun(at), null, null));
    }

    /** Running to Completed. */
    public Transition complete(long token, Instant at, @Nullable Integer exit) {
        return leaveRunning(Phase.COMPLETED, token, new Attempt.End(at, exit, null), null, new Ending.Completed(at));
    }

    /** Running to Failed. */
    public Transition fail(long token, Instant at, @Nullable Integer exit, Failure failure) {
        return leaveRunning(
                Phase.FAILED, token, new Attempt.End(at, exit, failure), null, new Ending.Failed(at, failure));
    }

    /** Running to Pending: another attempt follows. */
    public Transition retry(long token, Instant at, @Nullable Integer exit, Failure failure, Instant nextAttempt) {
        return leaveRunning(Phase.PENDING, token, new Attempt.End(at, exit, failure), nextAttempt, null);
    }

    /** Running to Cancelled, once the work is confirmed stopped. What had begun is left half done, as by a failure. */
    public Transition cancel(long token, Instant at, @Nullable Integer exit, String by, String reason) {
        Attempt running = running();
        Failure failure = running == null ? null : running.failure(RetryClass.PERMANENT, Failure.CANCELLED, reason);
        Attempt.End end = new Attempt.End(at, exit, failure);
        return leaveRunning(Phase.CANCELLED, token, end, null, new Ending.Cancelled(at, by, reason));
    }

    /** Pending to Cancelled. */
    public Transition cancel(Instant at, String by, String reason) {
        return leavePending(new Ending.Cancelled(at, by, reason));
    }

    /** Pending to Skipped. */
    public Transition skip(Ending.Skipped how) {
        return leavePending(how);
    }

    /** Pending to Failed: it could never have run. */
    public Transition reject(Instant at, String code, String message) {
        Failure failure = new Failure(FailureKind.NOT_STARTED, RetryClass.PERMANENT, code, message);
        return leavePending(new Ending.Failed(at, failure));
    }

    /** Takes the block of this one failure away. It can be done once, and it covers no later failure. */
    public Clearance.Answer clear(Clearance by) {
        if (clearance != null) {
            return new Clearance.Answer.AlreadyCleared(clearance);
        }
        FailureKind kind = gravestFailure();
        boolean blocks =
                kind != null && (phase() == Phase.FAILED || (phase() == Phase.CANCELLED && kind.leavesDoubt()));
        return blocks
                ? new Clearance.Answer.Cleared(
                        new Execution(id, request, submittedAt, attempts, nextAttemptAt, ending, by))
                : new Clearance.Answer.NothingToClear(phase());
    }

    private Transition leaveRunning(
            Phase to, long token, Attempt.End end, @Nullable Instant nextAttempt, @Nullable Ending how) {
        if (!phase().mayBecome(to)) {
            return new Transition.Illegal(phase(), to);
        }
        Attempt running = running();
        if (running == null || running.token() != token) {
            return new Transition.Stale(token, running == null ? 0 : running.token());
        }
        return new Transition.Moved(withLast(running.withEnd(end), nextAttempt, how));
    }

    private Transition leavePending(Ending how) {
        if (!phase().mayBecome(how.phase())) {
            return new Transition.Illegal(phase(), how.phase());
        }
        Attempt running = running();
        if (running != null) {
            // Whoever has no token may not end what runs.
            return new Transition.Stale(0, running.token());
        }
        return new Transition.Moved(new Execution(id, request, submittedAt, attempts, null, how, clearance));
    }

    private Execution withLast(Attempt last, @Nullable Instant nextAttempt, @Nullable Ending how) {
        List<Attempt> all = new ArrayList<>(attempts);
        all.set(all.size() - 1, last);
        return new Execution(id, request, submittedAt, all, nextAttempt, how, clearance);
    }
}

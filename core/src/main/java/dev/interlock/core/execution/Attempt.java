package dev.interlock.core.execution;

import dev.interlock.core.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One try at an execution. It holds the target's lock while it runs.
 *
 * @param number from 1
 * @param owner the process instance that runs it
 * @param token the fencing token of its lock
 * @param workBeganAt when a step was first seen to begin; null as long as nothing has run
 * @param log where its output is kept; null when nothing is kept
 * @param end null while it runs
 */
public record Attempt(
        int number,
        String owner,
        long token,
        Instant startedAt,
        @Nullable Instant workBeganAt,
        @Nullable String log,
        @Nullable End end) {

    private static final int MAX_OWNER = 256;

    /**
     * How it ended.
     *
     * @param exit the exit code of a command; null when there was none
     */
    public record End(
            Instant at, @Nullable Integer exit, @Nullable Failure failure) {}

    public Attempt {
        if (number < 1 || token < 1) {
            throw new IllegalArgumentException(
                    "Attempts and tokens are counted from 1, not from " + number + " and " + token + ".");
        }
        Text.checkLine("The owner of an attempt", owner, MAX_OWNER);
        Failure failure = end == null ? null : end.failure();
        if (workBeganAt != null && failure != null && !failure.kind().leavesDoubt()) {
            throw new IllegalArgumentException("Attempt " + number
                    + " cannot have failed before its work began: it began at " + workBeganAt + ".");
        }
    }

    public static Attempt started(int number, String owner, long token, Instant at) {
        return new Attempt(number, owner, token, at, null, null, null);
    }

    public Attempt withWorkBegun(Instant at) {
        return workBeganAt != null ? this : new Attempt(number, owner, token, startedAt, at, log, end);
    }

    public Attempt withLog(String place) {
        return new Attempt(number, owner, token, startedAt, workBeganAt, place, end);
    }

    public Attempt withEnd(End how) {
        return new Attempt(number, owner, token, startedAt, workBeganAt, log, how);
    }

    public boolean isOpen() {
        return end == null;
    }

    boolean wasHandedBack() {
        return end != null && end.failure() != null && end.failure().code().equals(Failure.HANDED_BACK);
    }

    /** The failure of an attempt whose runner lived to tell. */
    public Failure failure(RetryClass retryClass, String code, String message) {
        return new Failure(FailureKind.of(false, workBeganAt != null), retryClass, code, message);
    }

    /** The failure of an attempt whose runner is gone. */
    public Failure lost(String code, String message) {
        return new Failure(FailureKind.of(true, workBeganAt != null), RetryClass.TRANSIENT, code, message);
    }
}

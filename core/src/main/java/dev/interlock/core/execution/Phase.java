package dev.interlock.core.execution;

import java.util.Set;

/** Where an execution stands, and where it may go from there. The last four absorb: nothing leaves them. */
public enum Phase {
    PENDING,
    RUNNING,
    COMPLETED,
    FAILED,
    SKIPPED,
    CANCELLED;

    /** The table of legal transitions. A request may turn out malformed before anything ran: hence Pending to Failed. */
    public Set<Phase> next() {
        return switch (this) {
            case PENDING -> Set.of(RUNNING, FAILED, SKIPPED, CANCELLED);
            case RUNNING -> Set.of(COMPLETED, FAILED, CANCELLED, PENDING);
            case COMPLETED, FAILED, SKIPPED, CANCELLED -> Set.of();
        };
    }

    public boolean mayBecome(Phase other) {
        return next().contains(other);
    }

    public boolean isTerminal() {
        return next().isEmpty();
    }

    public String word() {
        return switch (this) {
            case PENDING -> "Pending";
            case RUNNING -> "Running";
            case COMPLETED -> "Completed";
            case FAILED -> "Failed";
            case SKIPPED -> "Skipped";
            case CANCELLED -> "Cancelled";
        };
    }
}

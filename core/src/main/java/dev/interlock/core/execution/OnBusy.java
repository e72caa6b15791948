package dev.interlock.core.execution;

/** What a request wants when it cannot start at once. */
public enum OnBusy {
    /** Be skipped, with the reason. */
    REFUSE,
    /** Wait in line, first come first served. */
    QUEUE,
    /** Become one with an identical request that is open already; without one, wait in line. */
    JOIN;

    public String word() {
        return switch (this) {
            case REFUSE -> "refuse";
            case QUEUE -> "queue";
            case JOIN -> "join";
        };
    }
}

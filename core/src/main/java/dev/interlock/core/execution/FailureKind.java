package dev.interlock.core.execution;

/** How far the work had come when it failed, from the harmless to the grave. */
public enum FailureKind {
    /** Nothing ran: it may be tried again later. */
    NOT_STARTED,
    /** A step had begun: the outcome is partial. */
    STARTED,
    /** The runner was lost while it ran: nobody can tell, so the target is suspect. */
    UNKNOWN;

    /** Judged by evidence alone, never by the words of a message. */
    public static FailureKind of(boolean runnerLost, boolean stepBegan) {
        if (runnerLost) {
            // A runner that died may have begun a step and not lived to say so.
            return UNKNOWN;
        }
        return stepBegan ? STARTED : NOT_STARTED;
    }

    /** Whether a person has to look at the target before work like this goes on. */
    public boolean leavesDoubt() {
        return this != NOT_STARTED;
    }
}

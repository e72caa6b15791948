package dev.interlock.core;

/** The store could not answer. Nothing may be assumed granted; what had been asked for may or may not have happened. */
public final class StoreUnavailable extends RuntimeException {
    public enum Kind {
        /** No connection, or it broke; the same request may succeed in a moment. */
        UNREACHABLE,
        /** Overload, deadlock, serialization: the same request may succeed in a moment. */
        BUSY,
        /** The credentials were refused or lack a right. */
        FORBIDDEN,
        /** The store cannot be written now: a standby, or a full disk. */
        READ_ONLY,
        /** The store has just failed over or been restored and grants nothing until old leases are over. */
        RECOVERING,
        /** The store's schema is newer than this program. */
        TOO_NEW,
        /** The store is not set up, or in a way that cannot keep its promises. */
        MISCONFIGURED,
        /** A bug, here or there. */
        BROKEN
    }

    private final Kind kind;

    public StoreUnavailable(Kind kind, String sentence, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    public StoreUnavailable(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether asking again soon makes sense. */
    public boolean isTransient() {
        return kind == Kind.UNREACHABLE || kind == Kind.BUSY;
    }
}

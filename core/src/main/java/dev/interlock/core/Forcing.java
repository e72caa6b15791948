package dev.interlock.core;

import java.time.Instant;

/** The answer to a forced release. */
public sealed interface Forcing {
    /** The holder has been told to stop; the lock moves on when it has, at the latest at that instant. */
    record Releasing(Lock previous, Instant until) implements Forcing {}

    /** The lock is free, or with the next in the queue, now. */
    record Released(Lock previous) implements Forcing {}

    /** Nobody held it. */
    record Free() implements Forcing {}

    /** Somebody else holds it than the one the caller saw; nothing was changed. */
    record Moved(Lock current) implements Forcing {}
}

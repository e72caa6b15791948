package dev.interlock.core;

import java.time.Instant;

/** The answer to a request that does not wait. */
public sealed interface Acquisition {
    /** The lock is the asker's, from now until its lease ends. */
    record Granted(Lock lock) implements Acquisition, Entry, Handover {}

    /** Somebody else holds it, or waits for it. */
    record Held(Lock current) implements Acquisition {}

    /** Nobody holds it, but it is closed for a while after its last end. */
    record Cooling(Lock last, Instant until) implements Acquisition {}
}

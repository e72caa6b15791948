package dev.interlock.core;

/** The answer to a request that is ready to wait. */
public sealed interface Entry permits Acquisition.Granted, Entry.Queued, Entry.QueueFull {
    /** A place in the queue; {@link Place#handover()} tells when the lock arrives. */
    record Queued(Place place, Lock current, int position) implements Entry {}

    /** As many wait already as the limit allows. */
    record QueueFull(Lock current, int limit) implements Entry {}
}

package dev.interlock.core;

/** How waiting ended in the store. */
public sealed interface Handover permits Acquisition.Granted, Handover.Dropped {
    /** The place is gone without a grant. */
    record Dropped(Reason reason) implements Handover {}

    enum Reason {
        /** Somebody removed the waiter. */
        CANCELLED,
        /** The waiter's lease ended. */
        LEASE_ENDED,
        /** The time it was ready to wait is over. */
        WAITED_TOO_LONG
    }
}

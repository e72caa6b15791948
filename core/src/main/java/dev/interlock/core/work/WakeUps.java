package dev.interlock.core.work;

/** Tells that there may be something to claim, beside the store's own hint. What it misses is found by looking. */
public interface WakeUps {
    /** Calls the listener when there may be something to claim: on a thread of the transport, so be short. */
    void onWork(Runnable listener);
}

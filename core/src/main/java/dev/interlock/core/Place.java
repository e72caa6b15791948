package dev.interlock.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A waiter's place in the queue of one lock, first come first served. */
public interface Place {
    /** Completes when the lock is handed over or the place is gone; exceptionally only when the store is closed. */
    CompletableFuture<Handover> handover();

    /** Where the waiter stands now; empty when it does not stand in the queue any more. */
    Optional<Standing> standing();

    /** Gives the place up. When the lock had been handed over meanwhile it is given back. */
    void leave();
}

package dev.interlock.dynamodb;

import dev.interlock.core.Handover;
import dev.interlock.core.Place;
import dev.interlock.core.Standing;
import dev.interlock.core.polling.Waiting;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A place in the queue of this process. */
final class QueuedPlace implements Place {
    private final DynamoLockStore store;
    private final Waiting waiting;

    QueuedPlace(DynamoLockStore store, Waiting waiting) {
        this.store = store;
        this.waiting = waiting;
    }

    @Override
    public CompletableFuture<Handover> handover() {
        return waiting.handover();
    }

    @Override
    public Optional<Standing> standing() {
        return store.standing(waiting);
    }

    @Override
    public void leave() {
        store.leave(waiting);
    }
}

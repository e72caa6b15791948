package dev.interlock.memory;

import dev.interlock.core.Handover;
import dev.interlock.core.Place;
import dev.interlock.core.Standing;
import dev.interlock.core.StoreUnavailable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A place in the queue, as the process sees it that waits there. */
final class MemoryPlace implements Place {
    private final Memory memory;
    private final MemoryLockStore store;
    private final Waiting waiting;
    private final CompletableFuture<Handover> handover;

    MemoryPlace(Memory memory, MemoryLockStore store, Waiting waiting) {
        this.memory = memory;
        this.store = store;
        this.waiting = waiting;
        this.handover = waiting.handover().whenComplete((how, failure) -> store.left(this));
    }

    @Override
    public CompletableFuture<Handover> handover() {
        return handover;
    }

    @Override
    public Optional<Standing> standing() {
        return memory.step(now -> memory.lock(waiting.ask().name())
                .filter(record -> record.queue().contains(waiting))
                .map(record -> {
                    int position = record.queue().indexOf(waiting) + 1;
                    return new Standing(
                            position,
                            memory.view(record, now),
                            Estimate.of(record.newestFirst(), position).orElse(null));
                }));
    }

    @Override
    public void leave() {
        store.withdraw(waiting.ask());
    }

    void close() {
        handover.completeExceptionally(
                new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "The store has been closed."));
    }
}

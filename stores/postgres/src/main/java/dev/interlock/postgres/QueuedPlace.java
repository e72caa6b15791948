package dev.interlock.postgres;

import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Lock;
import dev.interlock.core.Place;
import dev.interlock.core.Standing;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A place in the queue of a lock, as the process that waits there knows it. */
final class QueuedPlace implements Place {
    private final PostgresLockStore store;
    private final Ask ask;
    private final long ticket;
    private final long deadline;
    private final CompletableFuture<Handover> handover = new CompletableFuture<>();
    private volatile boolean left;

    /** @param deadline on the ticker: when the wait is over */
    QueuedPlace(PostgresLockStore store, Ask ask, long ticket, long deadline) {
        this.store = store;
        this.ask = ask;
        this.ticket = ticket;
        this.deadline = deadline;
    }

    Ask ask() {
        return ask;
    }

    long ticket() {
        return ticket;
    }

    long deadline() {
        return deadline;
    }

    void arrived(Handover outcome) {
        handover.complete(outcome);
    }

    boolean hasLeft() {
        return left;
    }

    /** @param unbroken after which crash of the server this was seen there, where that is known */
    void handed(Handed handed, Leases leases, long unbroken) {
        var maxHold = ask.terms().maxHold();
        Lock lock = new Granted(
                        handed.token(),
                        ask.lease().id(),
                        handed.acquiredAt(),
                        maxHold == null ? null : handed.acquiredAt().plus(maxHold),
                        handed.queued() ? 1 : 0)
                .lock(ask, leases);
        store.handed(this, lock, unbroken);
    }

    @Override
    public CompletableFuture<Handover> handover() {
        return handover;
    }

    @Override
    public Optional<Standing> standing() {
        return store.standing(ask.name(), ticket);
    }

    @Override
    public void leave() {
        left = true;
        store.withdraw(ask);
    }
}

package dev.interlock.core.polling;

import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One request of this process that waits for a lock. */
public final class Waiting {
    private final long ticket;
    private final CompletableFuture<Handover> handover = new CompletableFuture<>();
    private volatile Ask ask;
    private volatile long until;
    private volatile @Nullable Handover outcome;

    private volatile Duration patience;

    Waiting(long ticket, Ask ask, Duration wait, long now) {
        this.ticket = ticket;
        this.ask = ask;
        this.patience = wait;
        this.until = now + wait.toNanos();
    }

    public long ticket() {
        return ticket;
    }

    /** As it was asked last: the lease may be another than at first. */
    public Ask ask() {
        return ask;
    }

    /** How long it is ready to wait, from when it was asked last. */
    public Duration patience() {
        return patience;
    }

    public CompletableFuture<Handover> handover() {
        return handover;
    }

    /** What it came to; null while it waits. It is known here a moment before whoever waits is told. */
    public @Nullable Handover outcome() {
        return outcome;
    }

    boolean isOver(long now) {
        return until - now <= 0;
    }

    /** Two requests are the same when execution, attempt and owner agree. */
    boolean isOf(Holder holder) {
        Holder mine = ask.holder();
        return mine.execution().equals(holder.execution())
                && mine.attempt() == holder.attempt()
                && mine.owner().equals(holder.owner());
    }

    void again(Ask latest, Duration wait, long now) {
        ask = latest;
        patience = wait;
        until = now + wait.toNanos();
    }

    void came(Handover to) {
        outcome = to;
    }

    void tell() {
        Handover known = outcome;
        if (known != null) {
            handover.complete(known);
        }
    }
}

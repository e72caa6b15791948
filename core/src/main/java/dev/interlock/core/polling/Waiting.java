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

    Waiting(long ticket, Ask ask, long until) {
        this.ticket = ticket;
        this.ask = ask;
        this.until = until;
    }

    public long ticket() {
        return ticket;
    }

    /** As it was asked last: the lease may be another than at first. */
    public Ask ask() {
        return ask;
    }

    /** How much longer it is ready to wait. */
    public Duration left(long now) {
        return Duration.ofNanos(Math.max(0, until - now));
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

    void again(Ask latest, long newUntil) {
        ask = latest;
        until = newUntil;
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

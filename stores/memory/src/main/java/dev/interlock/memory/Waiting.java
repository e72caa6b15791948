package dev.interlock.memory;

import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** One request in the queue of a lock. */
final class Waiting {
    private final long ticket;
    private final Instant since;
    private final CompletableFuture<Handover> handover = new CompletableFuture<>();
    private Ask ask;
    private LeaseRecord lease;
    private Instant until;

    Waiting(long ticket, Ask ask, LeaseRecord lease, Duration wait, Instant now) {
        this.ticket = ticket;
        this.since = now;
        this.ask = ask;
        this.lease = lease;
        this.until = now.plus(wait);
    }

    /** The same holder asked again: the place is kept, under the terms and the lease of the latest request. */
    void again(Ask latest, LeaseRecord latestLease, Duration wait, Instant now) {
        ask = latest;
        lease = latestLease;
        until = now.plus(wait);
    }

    long ticket() {
        return ticket;
    }

    Ask ask() {
        return ask;
    }

    LeaseRecord lease() {
        return lease;
    }

    Instant since() {
        return since;
    }

    Instant until() {
        return until;
    }

    CompletableFuture<Handover> handover() {
        return handover;
    }
}

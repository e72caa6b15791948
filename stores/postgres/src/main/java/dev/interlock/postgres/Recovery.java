package dev.interlock.postgres;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A release is not waited for on disk. After a crash of the server this process says again what it gave back, and what it
 * holds.
 */
final class Recovery {
    private static final int BATCH = 128;
    private static final Duration TRIED_AGAIN = Duration.ofSeconds(1);

    private final Connections connections;
    private final Releasing releasing;
    private final Grants grants;
    private final Ports ports;
    private final Consumer<Handed> handed;
    private final RecentReleases recent = new RecentReleases();

    /** As the store last told it: the first ticket after the latest crash. */
    private final AtomicLong unbroken = new AtomicLong();

    private volatile boolean closed;

    Recovery(Connections connections, Releasing releasing, Grants grants, Ports ports, Consumer<Handed> handed) {
        this.connections = connections;
        this.releasing = releasing;
        this.grants = grants;
        this.ports = ports;
        this.handed = handed;
    }

    /** @param unwritten how long the server may leave a commit unwritten that nobody waits for */
    void keepBeyond(Duration unwritten) {
        recent.keepBeyond(unwritten);
    }

    void release(List<Releasing.Request> batch) {
        RecentReleases.Batch kept = recent.add(batch);
        List<Handed> all;
        try {
            all = connections.with(connection -> releasing.together(connection, batch));
        } finally {
            recent.answered(kept, ports.ticker().nanos());
        }
        all.forEach(handed);
    }

    /** Whether a crash has been heard of since this ticket was drawn. */
    boolean isPast(long ticket) {
        return ticket < unbroken.get();
    }

    void heardOf(long ticket) {
        if (unbroken.getAndAccumulate(ticket, Math::max) < ticket) {
            sayAgain();
        }
    }

    void sayAgain() {
        List<Releasing.Request> again = recent.takeAll();
        if (closed) {
            return;
        }
        ports.tasks().start("interlock-say-again", () -> {
            for (int from = 0; from < again.size(); from += BATCH) {
                releaseAgain(new ArrayList<>(again.subList(from, Math.min(again.size(), from + BATCH))));
            }
            confirm();
        });
    }

    private void releaseAgain(List<Releasing.Request> batch) {
        try {
            release(batch);
        } catch (StoreUnavailable e) {
            ports.timers().after(TRIED_AGAIN, this::sayAgain);
        }
    }

    void confirmSoon() {
        ports.tasks().start("interlock-confirm", this::confirm);
    }

    /** So that nobody has to wait for it until the next renewal, which asks the same, and believes the answer. */
    private void confirm() {
        try {
            connections.with(connection -> grants.confirm(connection, lock -> true, false));
        } catch (StoreUnavailable e) {
            // The next renewal says it.
        }
    }

    void close() {
        closed = true;
    }
}

package dev.interlock.sqs;

import dev.interlock.core.Ports;
import dev.interlock.core.work.Outbox;
import dev.interlock.core.work.Outbox.WakeUp;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves wake-ups from the outbox to the queue. Any number of relays may do so at once. One that ends between sending and
 * saying so lets another send again, which the queue or, later, the execution's row makes harmless.
 */
final class SqsRelay {
    /** Longer than a sending can take. */
    static final Duration TAKEN = Duration.ofMinutes(2);

    static final Duration OPEN = Duration.ofHours(1);
    private static final Duration OPEN_AGAIN = Duration.ofMinutes(10);

    private final Outbox outbox;
    private final String transport;
    private final Ports.Ticker ticker;
    private @Nullable Long openedAt;

    SqsRelay(Outbox outbox, String transport, Ports.Ticker ticker) {
        this.outbox = outbox;
        this.transport = transport;
        this.ticker = ticker;
    }

    /** Moves one batch, and tells whether there may be more. */
    boolean tick(SqsQueue queue) {
        open();
        List<WakeUp> taken = outbox.take(SqsQueue.BATCH, TAKEN);
        if (!taken.isEmpty()) {
            outbox.sent(queue.send(taken));
        }
        return taken.size() == SqsQueue.BATCH;
    }

    /** Only here, when the queue was found: while it cannot be used the outbox must not fill for long. */
    private void open() {
        long now = ticker.nanos();
        if (openedAt == null || now - openedAt >= OPEN_AGAIN.toNanos()) {
            outbox.open(transport, OPEN);
            openedAt = now;
        }
    }
}

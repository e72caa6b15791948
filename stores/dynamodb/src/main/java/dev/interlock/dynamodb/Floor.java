package dev.interlock.dynamodb;

import dev.interlock.core.Ports;
import java.time.Duration;

/**
 * Below which no new name may start: the highest token that was ever pruned. Each process reads it once an hour. That is
 * often enough, because pruning raises it first, then leaves the bare token of each name behind for a day, and only then
 * lets go of the name; a request that was made with an older floor is refused by then, since its signature has expired.
 */
final class Floor {
    static final Duration GRACE = Duration.ofDays(1);

    private static final Duration FRESH = Duration.ofHours(1);
    private static final Item KEY = Item.key("floor", "floor");

    private final Requests requests;
    private final Ports.Ticker ticker;
    private long value;
    private long readAt;

    Floor(Requests requests, Ports.Ticker ticker) {
        this.requests = requests;
        this.ticker = ticker;
        read();
    }

    synchronized long current() {
        if (ticker.nanos() - readAt > FRESH.toNanos()) {
            read();
        }
        return value;
    }

    private void read() {
        long askedAt = ticker.nanos();
        Item item = requests.get(KEY);
        value = item == null ? 0 : item.as(floor -> floor.number("token"));
        readAt = askedAt;
    }

    synchronized void raise(long token) {
        Write write = requests.update(new Change(KEY)
                .set(Item.empty().with("token", token))
                .provided("attribute_not_exists(#token) OR #token < :token", "token"));
        Item item = write instanceof Write.Refused(Item current, int at) ? current : ((Write.Done) write).item();
        value = item == null ? Math.max(value, token) : item.as(floor -> floor.number("token"));
    }
}

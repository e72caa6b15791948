package dev.interlock.dynamodb;

import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The record of a lease. It is written with the first renewal, or by whoever ends the lease before that; until then what
 * hangs on the lease remembers its times.
 *
 * @param ended why it is over; null while it may be renewed
 * @param taken what its holder must stop although the lease is alive
 */
record LeaseRecord(
        LeaseTimes times,
        String owner,
        String user,
        long version,
        @Nullable Ended ended,
        List<Taken> taken) {
    static final String RECORD = "lease";

    record Ended(Loss.Cause why, Instant at) {}

    static Item key(UUID lease) {
        return Item.key(lease.toString(), RECORD);
    }

    static LeaseRecord from(Item item) {
        return item.as(LeaseRecord::read);
    }

    private static LeaseRecord read(Item item) {
        Item ended = item.mapOrNull("ended");
        return new LeaseRecord(
                LeaseTimes.from(item),
                item.text("owner"),
                item.text("user"),
                item.number(Item.VERSION),
                ended == null ? null : new Ended(Loss.Cause.valueOf(ended.text("why")), ended.instant("at")),
                item.list("taken", LeaseRecord::taken));
    }

    private static Taken taken(Item item) {
        return new Taken(
                LockName.of(item.text("name")),
                item.number("token"),
                new Loss.ForcedBy(item.text("actor"), item.text("reason")));
    }

    /** Listed, so that pruning finds it. The keys of the list never change: a renewal does not touch the index. */
    Item item() {
        Item item = key(times.id())
                .and(times.item())
                .with("owner", owner)
                .with("user", user)
                .with(Item.VERSION, version)
                .with(Item.LISTING, RECORD)
                .with(Item.LISTING_ORDER, times.id().toString())
                .with("taken", taken.stream().map(LeaseRecord::item).toList());
        return ended == null
                ? item
                : item.with(
                        "ended", Item.empty().with("why", ended.why().name()).with("at", ended.at()));
    }

    private static Item item(Taken taken) {
        if (!(taken.why() instanceof Loss.ForcedBy(String actor, String reason))) {
            throw new IllegalArgumentException("only what was forced is written down: " + taken);
        }
        return Item.empty()
                .with("name", taken.name().value())
                .with("token", taken.token())
                .with("actor", actor)
                .with("reason", reason);
    }

    LeaseRecord endedBy(Loss.Cause why, Instant at) {
        return new LeaseRecord(times, owner, user, version + 1, new Ended(why, at), taken);
    }

    LeaseRecord taking(List<Taken> now) {
        return new LeaseRecord(times, owner, user, version + 1, ended, now);
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Past;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One event of a lock's history.
 *
 * @param ending how a tenure ended for its holder: one that was told to stop and did has released its lock, although the
 *     event says that it was forced; null when this is not the end of a tenure
 */
record PastRecord(Past past, Past.@Nullable Event ending, Lock.@Nullable Forced forced) {
    static final String PREFIX = "past#";

    static PastRecord refused(LockRecord lock, Holder holder, Instant now) {
        return new PastRecord(new Past(Past.Event.REFUSED, lock.token(), holder, now, now, null), null, null);
    }

    static PastRecord ordered(LockRecord lock, Lock.Forced by, Instant now) {
        return new PastRecord(
                new Past(Past.Event.FORCE_ORDERED, lock.token(), lock.tenure().holder(), now, now, detail(by)),
                null,
                by);
    }

    /** The end of the present tenure. */
    static PastRecord ended(LockRecord lock, LockRecord.Ending ending) {
        Tenure tenure = lock.tenure();
        Lock.Forced by = tenure.forced();
        Instant at = ending.at().isBefore(tenure.acquiredAt()) ? tenure.acquiredAt() : ending.at();
        return new PastRecord(
                new Past(
                        by == null ? ending.how() : Past.Event.FORCED,
                        lock.token(),
                        tenure.holder(),
                        tenure.acquiredAt(),
                        at,
                        by == null ? null : detail(by)),
                ending.how(),
                by);
    }

    private static String detail(Lock.Forced by) {
        return by.actor() + ": " + by.reason();
    }

    /** All that happened under one token lies together, and in the order of the tokens. */
    static String prefix(long token) {
        return PREFIX + "%019d#".formatted(token);
    }

    static PastRecord from(Item item) {
        return item.as(PastRecord::read);
    }

    private static PastRecord read(Item item) {
        Item forced = item.mapOrNull("forced");
        String ending = item.textOrNull("ending");
        return new PastRecord(
                new Past(
                        Past.Event.valueOf(item.text("event")),
                        item.number("token"),
                        item.holder(),
                        item.instant("began_at"),
                        item.instant("ended_at"),
                        item.textOrNull("detail")),
                ending == null ? null : Past.Event.valueOf(ending),
                forced == null ? null : new Lock.Forced(forced.text("actor"), forced.text("reason")));
    }

    /**
     * As it is stored.
     *
     * @param sequence orders what happens under one token
     */
    Item item(LockName name, String sequence) {
        Item item = Item.key(name.value(), prefix(past.token()) + sequence)
                .with("event", past.event().name())
                .with("token", past.token())
                .with(past.holder())
                .with("began_at", past.began())
                .with("ended_at", past.ended())
                .with("detail", past.detail())
                .with("ending", ending == null ? null : ending.name());
        return forced == null
                ? item
                : item.with("forced", Item.empty().with("actor", forced.actor()).with("reason", forced.reason()));
    }
}

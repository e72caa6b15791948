package dev.interlock.dynamodb;

import dev.interlock.core.Holder;
import dev.interlock.core.LockName;
import dev.interlock.core.Past;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a lock: its latest tenure, how that ended if it has, and who waits. It is never deleted while its name
 * is in use, since the token lives in it. Every change counts the version up.
 */
record LockRecord(
        LockName name,
        long version,
        long token,
        Tenure tenure,
        @Nullable Ending ending,
        List<Queued> waiting) {
    static final String RECORD = "lock";
    static final String ACTIVE = "active";
    static final String RELEASING = "releasing";
    static final String RELEASED = "released";

    /** What an index takes as a sort key. */
    private static final int LONGEST_ORDER = 1024;

    /**
     * How the latest tenure ended.
     *
     * @param closedUntil the end of a cooldown or lock-delay; null when there is none
     */
    record Ending(Past.Event how, Instant at, @Nullable Instant closedUntil) {}

    /**
     * One who waits.
     *
     * @param room the process that put it there, which alone serves it
     */
    record Queued(String room, long ticket, Holder holder, LeaseTimes lease, Instant since, Instant until) {
        static Queued from(Item item) {
            return new Queued(
                    item.text("room"),
                    item.number("ticket"),
                    item.holder(),
                    LeaseTimes.from(item),
                    item.instant("since"),
                    item.instant("until"));
        }

        Item item() {
            return lease.item()
                    .with(holder)
                    .with("room", room)
                    .with("ticket", ticket)
                    .with("since", since)
                    .with("until", until);
        }
    }

    static Item key(LockName name) {
        return Item.key(name.value(), RECORD);
    }

    /** Null when there is no such lock, or only the token that its name must not fall behind. */
    static @Nullable LockRecord from(@Nullable Item item) {
        return item == null || item.has("pruned_at") ? null : item.as(LockRecord::read);
    }

    private static LockRecord read(Item item) {
        Item ending = item.mapOrNull("ending");
        return new LockRecord(
                LockName.of(item.text(Item.NAME)),
                item.number(Item.VERSION),
                item.number("token"),
                Tenure.from(item),
                ending == null
                        ? null
                        : new Ending(
                                Past.Event.valueOf(ending.text("how")),
                                ending.instant("at"),
                                item.instantOrNull("closed_until")),
                item.list("waiting", Queued::from));
    }

    Item item() {
        Item item = key(name)
                .and(listed(name))
                .with(Item.VERSION, version)
                .with("token", token)
                .and(tenure.item())
                .with("status", status())
                .with("waiting", waiting.stream().map(Queued::item).toList());
        return ending == null ? item : item.with("ending", item(ending)).with("closed_until", ending.closedUntil());
    }

    static Item item(Ending ending) {
        return Item.empty().with("how", ending.how().name()).with("at", ending.at());
    }

    private String status() {
        return ending != null ? RELEASED : tenure.forced() != null ? RELEASING : ACTIVE;
    }

    static Item listed(LockName name) {
        return Item.empty().with(Item.LISTING, RECORD).with(Item.LISTING_ORDER, order(name.value()));
    }

    /** What a name is listed under: itself, or as much of it as fits into the key of an index. */
    static String order(String name) {
        int bytes = 0;
        int at = 0;
        while (at < name.length()) {
            int point = name.codePointAt(at);
            bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_ORDER) {
                break;
            }
            at += Character.charCount(point);
        }
        return name.substring(0, at);
    }

    LockRecord granted(Tenure next, List<Queued> stillWaiting) {
        return new LockRecord(name, version + 1, token + 1, next, null, stillWaiting);
    }

    LockRecord with(Tenure changed) {
        return new LockRecord(name, version + 1, token, changed, ending, waiting);
    }

    LockRecord with(List<Queued> changed) {
        return new LockRecord(name, version + 1, token, tenure, ending, changed);
    }

    LockRecord ended(Ending how, List<Queued> stillWaiting) {
        return new LockRecord(name, version + 1, token, tenure, how, stillWaiting);
    }
}

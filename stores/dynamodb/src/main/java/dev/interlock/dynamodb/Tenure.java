package dev.interlock.dynamodb;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One grant, as the lock's item tells it.
 *
 * @param lockId made anew for each request, so that a write whose answer was lost is recognised as one's own
 * @param limit the end that no renewal moves: the maximum hold, or what a forced holder is given to stop
 */
record Tenure(
        String lockId,
        Holder holder,
        LeaseTimes lease,
        Instant acquiredAt,
        Terms terms,
        @Nullable Instant limit,
        Lock.@Nullable Forced forced) {
    static Tenure of(Ask ask, String lockId, LeaseTimes lease, Instant now) {
        Duration maxHold = ask.terms().maxHold();
        return new Tenure(
                lockId, ask.holder(), lease, now, ask.terms(), maxHold == null ? null : now.plus(maxHold), null);
    }

    static Tenure from(Item item) {
        Item forced = item.mapOrNull("forced");
        return new Tenure(
                item.text("lock_id"),
                item.holder(),
                LeaseTimes.from(item),
                item.instant("acquired_at"),
                new Terms(item.duration("lock_delay"), item.duration("cooldown"), null, maintenance(item)),
                item.instantOrNull("limit_at"),
                forced == null ? null : new Lock.Forced(forced.text("actor"), forced.text("reason")));
    }

    private static @Nullable Maintenance maintenance(Item item) {
        Item metadata = item.mapOrNull("metadata");
        return metadata == null ? null : new Maintenance(metadata.text("reason"), metadata.textOrNull("ticket"));
    }

    Item item() {
        Item item = Item.empty()
                .with("lock_id", lockId)
                .with(holder)
                .and(lease.item())
                .with("acquired_at", acquiredAt)
                .with("lock_delay", terms.lockDelay())
                .with("cooldown", terms.cooldown())
                .with("limit_at", limit);
        Maintenance maintenance = terms.maintenance();
        if (maintenance != null) {
            item.with(
                    "metadata",
                    Item.empty().with("reason", maintenance.reason()).with("ticket", maintenance.ticket()));
        }
        if (forced != null) {
            item.with("forced", Item.empty().with("actor", forced.actor()).with("reason", forced.reason()));
        }
        return item;
    }

    boolean isOf(Holder other) {
        return holder.execution().equals(other.execution())
                && holder.attempt() == other.attempt()
                && holder.owner().equals(other.owner());
    }

    Tenure on(LeaseTimes other) {
        return new Tenure(lockId, holder, other, acquiredAt, terms, limit, forced);
    }

    /** Told to stop, until then at the latest. */
    Tenure forcedBy(Lock.Forced by, Instant until) {
        return new Tenure(lockId, holder, lease, acquiredAt, terms, until, by);
    }

    Instant expiresAt(LeaseTimes lives) {
        Instant end = lives.expiresAt();
        return limit != null && limit.isBefore(end) ? limit : end;
    }
}

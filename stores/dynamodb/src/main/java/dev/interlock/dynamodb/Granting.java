package dev.interlock.dynamodb;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The writes that give a lock to somebody. Each is one request, and its condition is the lock. */
final class Granting {
    /**
     * Nobody holds it, nobody waits for it, and it is not closed; or there is no such lock yet. A record whose token
     * somebody took away is not free: it would begin to count anew.
     */
    private static final String IS_FREE = "attribute_not_exists(#lock_name) OR (#status = :released"
            + " AND attribute_type(#token, :number) AND attribute_type(#version, :number)"
            + " AND attribute_not_exists(#waiting)"
            + " AND (attribute_not_exists(#closed_until) OR #closed_until <= :earliest))";

    private final Requests requests;
    private final ServerClock clock;
    private final Leases leases;
    private final Judge judge;
    private final Journal journal;
    private final Snapshots snapshots;
    private final Floor floor;
    private final Ports ports;

    Granting(
            Requests requests,
            Leases leases,
            Judge judge,
            Journal journal,
            Snapshots snapshots,
            Floor floor,
            Ports ports) {
        this.requests = requests;
        this.clock = requests.clock();
        this.leases = leases;
        this.judge = judge;
        this.journal = journal;
        this.snapshots = snapshots;
        this.floor = floor;
        this.ports = ports;
    }

    String newLockId() {
        return ports.randomId().toString();
    }

    /** Takes the lock if it is free, without having looked at it. */
    Write take(Ask ask, String lockId) {
        LeaseTimes lease = leases.require(ask.lease());
        Tenure tenure = Tenure.of(ask, lockId, lease, clock.latest());
        Change change = new Change(LockRecord.key(ask.name()))
                .set(LockRecord.listed(ask.name()))
                .set(tenure.item().with("status", LockRecord.ACTIVE))
                .count("token", floor.current())
                .count(Item.VERSION, 0)
                .remove("ending", "closed_until", "forced", "pruned_at")
                .provided(IS_FREE, Item.NAME, "status", "waiting", "closed_until")
                .value("released", LockRecord.RELEASED)
                .value("number", "N")
                .value("earliest", clock.earliest().toEpochMilli());
        for (String optional : List.of("lock_delay", "cooldown", "limit_at", "metadata")) {
            if (!tenure.item().has(optional)) {
                change.remove(optional);
            }
        }
        return requests.update(change);
    }

    Lock granted(Ask ask, LockRecord lock) {
        leases.opened(ask.lease(), lock.tenure().lease());
        leases.holds(lock);
        snapshots.keep(lock);
        return new Judged(
                        lock,
                        lock.tenure().lease(),
                        null,
                        null,
                        false,
                        false,
                        lock.waiting(),
                        later(lock.tenure().acquiredAt(), lock.tenure().lease().renewedAt()))
                .view();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** What came of trying to take a lock whose record is known. */
    sealed interface Taking {
        record Taken(LockRecord lock) implements Taking {}

        /** The record has changed meanwhile; null when it is gone. */
        record Changed(@Nullable LockRecord lock) implements Taking {}
    }

    /** Gives a lock that is free to the asker: revokes the lease of a holder that died before, if need be. */
    Taking takeOver(Judged free, Ask ask, String lockId, List<Queued> stillWaiting) {
        LockRecord lock = free.lock();
        LeaseTimes lease = leases.require(ask.lease());
        if (free.expired()
                && !leases.revoke(
                        free.lease(),
                        free.record(),
                        lock.tenure().holder().owner(),
                        lock.tenure().holder().user())) {
            return new Taking.Changed(read(lock));
        }
        LockRecord next = lock.granted(Tenure.of(ask, lockId, lease, clock.latest()), stillWaiting);
        Write write = lock.ending() == null
                ? requests.transact(List.of(
                        requests.putting(next.item(), Change.unchanged(lock)),
                        requests.putting(journal.ended(lock, Objects.requireNonNull(free.over())))))
                : requests.put(next.item(), Change.unchanged(lock));
        return taking(write, next);
    }

    private static Taking taking(Write write, LockRecord next) {
        return switch (write) {
            case Write.Done done -> new Taking.Taken(next);
            case Write.Refused(Item current, int at) -> new Taking.Changed(LockRecord.from(current));
        };
    }

    /** Ends the present tenure and gives the lock to the next, in one write. */
    Write handOver(LockRecord lock, LockRecord next, List<TransactWriteItem> more) {
        List<TransactWriteItem> writes = new ArrayList<>();
        writes.add(requests.putting(next.item(), Change.unchanged(lock)));
        writes.add(requests.putting(journal.ended(lock, Past.Event.RELEASED)));
        writes.addAll(more);
        return requests.transact(writes);
    }

    /** The record that hands the lock to this asker. */
    LockRecord next(LockRecord lock, Ask ask, List<Queued> stillWaiting) {
        Tenure tenure = Tenure.of(ask, newLockId(), leases.require(ask.lease()), clock.latest());
        return lock.granted(tenure, stillWaiting);
    }

    /**
     * The same holder asks again: its own grant, with the same token, renewed, on the lease that it names now, since
     * that is the one it keeps alive. Null when the record has changed meanwhile.
     */
    @Nullable Lock again(Judged held, Ask ask) {
        LockRecord lock = held.lock();
        boolean sameLease = lock.tenure().lease().id().equals(ask.lease().id());
        LeaseTimes lease = sameLease ? lock.tenure().lease() : leases.require(ask.lease());
        leases.opened(ask.lease(), lease);
        if (leases.renew(ask.lease()) instanceof LeaseRenewal.Ended) {
            throw new LeaseEnded(ask.lease());
        }
        LeaseTimes renewed = leases.require(ask.lease());
        LockRecord moved = lock;
        if (!sameLease) {
            moved = lock.with(lock.tenure().on(renewed));
            if (requests.put(moved.item(), Change.unchanged(lock)) instanceof Write.Refused) {
                return null;
            }
        }
        leases.holds(moved);
        snapshots.keep(moved);
        return judge.quickly(moved).view();
    }

    @Nullable LockRecord read(LockRecord lock) {
        return LockRecord.from(requests.get(LockRecord.key(lock.name())));
    }

    /** What stands in the way; null when nothing does. Nobody passes those who wait. */
    static @Nullable Acquisition obstacle(Judged judged) {
        if (judged.isHeld() || !judged.waiting().isEmpty()) {
            return new Acquisition.Held(judged.view());
        }
        return judged.isFree() ? null : new Acquisition.Cooling(judged.view(), closedUntil(judged));
    }

    private static Instant closedUntil(Judged judged) {
        return Objects.requireNonNull(Objects.requireNonNull(judged.over()).closedUntil());
    }
}

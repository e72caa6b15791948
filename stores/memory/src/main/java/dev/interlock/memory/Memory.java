package dev.interlock.memory;

import static java.util.Comparator.comparing;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the processes that share a memory store have in common: the records, and the steps that the verbs of
 * {@link MemoryLockStore} are made of. It has no thread, no clock and no chance of its own; whoever moves the clock
 * calls {@link #settle()}.
 */
public class Memory {
    private final Supplier<Instant> clock;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Map<UUID, LeaseRecord> leases = new LinkedHashMap<>();
    private final NavigableMap<LockName, LockRecord> locks = new TreeMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> news = new ArrayList<>();
    private long floor;
    private long tickets;

    public Memory(Supplier<Instant> clock) {
        this.clock = clock;
    }

    /** Does what is due by the clock: revokes leases, ends tenures, hands over. Every verb does so first, too. */
    public void settle() {
        step(now -> now);
    }

    /** One verb at a time, each at one instant. What others are told is told when the step is over. */
    <T> T step(Function<Instant, T> verb) {
        List<Runnable> told;
        mutex.lock();
        try {
            Instant now = clock.get();
            settle(now);
            return verb.apply(now);
        } finally {
            told = List.copyOf(news);
            news.clear();
            mutex.unlock();
            told.forEach(Runnable::run);
        }
    }

    private void settle(Instant now) {
        leases.values().stream()
                .filter(lease -> lease.ended() == null && !isAlive(lease, now))
                .sorted(comparing(LeaseRecord::expiresAt))
                .toList()
                .forEach(lease -> end(lease, Loss.Cause.EXPIRED, now));
        for (LockRecord record : locks.values()) {
            Tenure tenure = record.latest();
            if (tenure.isCurrent() && isOver(tenure, now)) {
                outlast(record, tenure, now);
            }
            handOver(record, now);
        }
    }

    boolean isAlive(LeaseRecord lease, Instant now) {
        return lease.ended() == null && lease.expiresAt().isAfter(now);
    }

    boolean isOver(Tenure tenure, Instant now) {
        return !tenure.expiresAt().isAfter(now);
    }

    Optional<LeaseRecord> lease(Lease lease) {
        return Optional.ofNullable(leases.get(lease.id()));
    }

    Optional<LockRecord> lock(LockName name) {
        return Optional.ofNullable(locks.get(name));
    }

    Collection<LockRecord> locks() {
        return locks.values();
    }

    /** The record of the lease, opened by the first grant or place that names it. */
    LeaseRecord open(Lease lease, Instant now) {
        return leases.computeIfAbsent(lease.id(), id -> new LeaseRecord(lease, now));
    }

    void renew(LeaseRecord lease, Instant now) {
        lease.renew(now, renewedUntil(lease, now));
    }

    /** Never earlier than before: a clock that was set back must not shorten what was promised. */
    Instant renewedUntil(LeaseRecord lease, Instant now) {
        Instant until = now.plus(lease.lease().duration());
        return until.isAfter(lease.expiresAt()) ? until : lease.expiresAt();
    }

    /** What stands in the way of a request; null when nothing does. Nobody passes those who wait. */
    @Nullable Acquisition obstacle(Ask ask, Instant now) {
        LockRecord record = locks.get(ask.name());
        if (record == null || record.isHeldBy(ask.holder())) {
            return null;
        }
        if (record.isHeld() || !record.queue().isEmpty()) {
            return new Acquisition.Held(view(record, now));
        }
        return record.isClosed(now) ? new Acquisition.Cooling(view(record, now), record.closedUntil()) : null;
    }

    /** Grants, or gives the same holder its own grant again, renewed. */
    Lock take(Ask ask, Instant now) {
        LockRecord record = locks.computeIfAbsent(ask.name(), LockRecord::new);
        LeaseRecord lease = open(ask.lease(), now);
        if (record.isHeldBy(ask.holder())) {
            record.latest().hangOn(lease);
            renew(lease, now);
        } else {
            record.begin(new Tenure(nextToken(record), ask, lease, now));
        }
        return view(record, now);
    }

    /** Counts in the record; a name without one starts above every token that was ever pruned. */
    long nextToken(LockRecord record) {
        return (record.isNew() ? floor : record.latest().token()) + 1;
    }

    /**
     * Ends the lease first, so that no late renewal can succeed, and only then frees what hung on it, in canonical
     * order.
     */
    void end(LeaseRecord lease, Loss why, Instant now) {
        revoke(lease, why);
        for (LockRecord record : locks.values()) {
            List.copyOf(record.queue()).stream()
                    .filter(waiting -> waiting.lease() == lease)
                    .forEach(waiting -> drop(record, waiting, Handover.Reason.LEASE_ENDED));
        }
        for (LockRecord record : locks.values()) {
            Tenure tenure = record.latest();
            if (tenure.isCurrent() && tenure.lease() == lease) {
                boolean clean = why == Loss.Cause.ALREADY_RELEASED;
                end(record, clean ? Past.Event.RELEASED : Past.Event.EXPIRED, clean ? now : tenure.expiresAt(), now);
            }
        }
    }

    void revoke(LeaseRecord lease, Loss why) {
        lease.end(why);
    }

    /** The tenure has reached its own limit while its lease lives on. */
    private void outlast(LockRecord record, Tenure tenure, Instant now) {
        Instant limit = tenure.expiresAt();
        if (tenure.forced() == null) {
            tell(record, tenure, Loss.Cause.HELD_TOO_LONG);
            end(record, Past.Event.HELD_TOO_LONG, limit, now);
        } else {
            end(record, Past.Event.EXPIRED, limit, now);
        }
    }

    /** Ends the present tenure and hands the lock on: after a cooldown if it ended cleanly, else a lock-delay. */
    void end(LockRecord record, Past.Event how, Instant at, Instant now) {
        Tenure tenure = record.latest();
        record.ended(tenure.end(how, at), at.plus(closedAfter(tenure, how)));
        handOver(record, now);
    }

    Duration closedAfter(Tenure tenure, Past.Event how) {
        return how == Past.Event.RELEASED
                ? tenure.terms().cooldown()
                : tenure.terms().lockDelay();
    }

    /** Gives a free lock to the first in its queue that is still alive and still waiting. */
    void handOver(LockRecord record, Instant now) {
        for (Waiting waiting : List.copyOf(record.queue())) {
            if (!isAlive(waiting.lease(), now)) {
                drop(record, waiting, Handover.Reason.LEASE_ENDED);
            } else if (!waiting.until().isAfter(now)) {
                drop(record, waiting, Handover.Reason.WAITED_TOO_LONG);
            }
        }
        if (record.isHeld() || record.isClosed(now) || record.queue().isEmpty()) {
            return;
        }
        Waiting head = record.queue().removeFirst();
        Lock lock = take(head.ask(), now);
        news.add(() -> head.handover().complete(new Acquisition.Granted(lock)));
    }

    Waiting enqueue(LockRecord record, Ask ask, Duration wait, Instant now) {
        Waiting waiting = new Waiting(++tickets, ask, open(ask.lease(), now), wait, now);
        record.queue().add(waiting);
        return waiting;
    }

    void drop(LockRecord record, Waiting waiting, Handover.Reason reason) {
        record.queue().remove(waiting);
        news.add(() -> waiting.handover().complete(new Handover.Dropped(reason)));
    }

    /** Lets the holder know that this grant is over, or must end, although its lease is alive. */
    void tell(LockRecord record, Tenure tenure, Loss why) {
        tenure.lease().tell(new Taken(record.name(), tenure.token(), why));
        news.addAll(listeners);
    }

    /** Wants the holder to stop, which has until the end of its lease. */
    void order(LockRecord record, String actor, String reason, Instant now) {
        Tenure tenure = record.latest();
        tenure.force(new Lock.Forced(actor, reason));
        record.note(
                new Past(Past.Event.FORCE_ORDERED, tenure.token(), tenure.holder(), now, now, actor + ": " + reason));
        tell(record, tenure, new Loss.ForcedBy(actor, reason));
    }

    void refused(LockRecord record, Holder holder, Instant now) {
        record.note(new Past(Past.Event.REFUSED, record.latest().token(), holder, now, now, null));
    }

    /** Forgets what has not been used since then, and never lets its tokens return. */
    int prune(Instant unusedSince, Instant now) {
        List<LockRecord> unused = locks.values().stream()
                .filter(record -> isIdle(record, now) && !record.lastUsed().isAfter(unusedSince))
                .toList();
        unused.forEach(this::forget);
        leases.values()
                .removeIf(lease -> lease.ended() != null && !lease.expiresAt().isAfter(unusedSince));
        return unused.size();
    }

    boolean isIdle(LockRecord record, Instant now) {
        return !record.isHeld() && record.queue().isEmpty() && !record.isClosed(now);
    }

    private void forget(LockRecord record) {
        floor = Math.max(floor, record.latest().token());
        locks.remove(record.name());
    }

    Lock view(LockRecord record, Instant now) {
        Tenure tenure = record.latest();
        boolean closed = !record.isHeld() && record.isClosed(now);
        return new Lock(
                record.name(),
                tenure.token(),
                tenure.status(),
                tenure.grant(),
                record.queue().size(),
                closed ? record.closedUntil() : null,
                now);
    }

    /** Something to be told when the step is over. */
    void afterwards(Runnable telling) {
        news.add(telling);
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void ignore(Runnable listener) {
        listeners.remove(listener);
    }
}

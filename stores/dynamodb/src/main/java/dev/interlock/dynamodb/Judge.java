package dev.interlock.dynamodb;

import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import dev.interlock.core.Ports;
import dev.interlock.core.polling.Sightings;
import dev.interlock.dynamodb.LockRecord.Ending;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is over. A lease is over when its record says so, when the server's own clock has passed its end by more
 * than the service's machines can be apart, or when its record has stayed the same for a whole lease while this process
 * looked. This machine's wall clock has no say.
 */
final class Judge {
    private final Requests requests;
    private final ServerClock clock;
    private final Leases leases;
    private final Sightings sightings;
    private final Ports.Ticker ticker;

    Judge(Requests requests, Leases leases, Sightings sightings, Ports.Ticker ticker) {
        this.requests = requests;
        this.clock = requests.clock();
        this.leases = leases;
        this.sightings = sightings;
        this.ticker = ticker;
    }

    /** Asks the records of leases only where what hangs on them might be over. */
    Judged quickly(LockRecord lock) {
        return judge(List.of(lock), false).getFirst();
    }

    /** Tells the latest times also of leases that are surely alive. */
    Judged fully(LockRecord lock) {
        return judge(List.of(lock), true).getFirst();
    }

    List<Judged> fully(List<LockRecord> locks) {
        return judge(locks, true);
    }

    private List<Judged> judge(List<LockRecord> locks, boolean fully) {
        Set<UUID> wanted = new HashSet<>();
        for (LockRecord lock : locks) {
            LeaseTimes lease = lock.tenure().lease();
            if (lock.ending() == null && (fully || mayBeOver(lease))) {
                wanted.add(lease.id());
            }
            lock.waiting().stream().map(Queued::lease).filter(this::mayBeOver).forEach(each -> wanted.add(each.id()));
        }
        long askedAt = ticker.nanos();
        Map<UUID, LeaseRecord> records = read(wanted);
        return locks.stream().map(lock -> judge(lock, records, wanted, askedAt)).toList();
    }

    private boolean mayBeOver(LeaseTimes remembered) {
        LeaseTimes lease = leases.latest(remembered);
        return lease == null || !clock.latest().isBefore(lease.expiresAt());
    }

    private Map<UUID, LeaseRecord> read(Set<UUID> wanted) {
        Map<UUID, LeaseRecord> records = new HashMap<>();
        if (wanted.size() == 1) {
            LeaseRecord one = leases.read(wanted.iterator().next());
            if (one != null) {
                records.put(one.times().id(), one);
            }
        } else if (!wanted.isEmpty()) {
            requests.getAll(wanted.stream().map(LeaseRecord::key).toList()).stream()
                    .map(LeaseRecord::from)
                    .forEach(record -> records.put(record.times().id(), record));
        }
        return records;
    }

    private Judged judge(LockRecord lock, Map<UUID, LeaseRecord> records, Set<UUID> asked, long askedAt) {
        Tenure tenure = lock.tenure();
        UUID id = tenure.lease().id();
        LeaseRecord record = records.get(id);
        LeaseTimes known = record == null ? leases.latest(tenure.lease()) : record.times();
        LeaseTimes lease = lock.ending() != null || known == null ? tenure.lease() : known;
        boolean leaseOver = lock.ending() == null
                && (asked.contains(id) ? isOver(tenure.lease(), record, askedAt) : leases.hasEnded(id));
        Ending over = lock.ending() != null ? lock.ending() : over(tenure, lease, record, leaseOver);
        boolean expired = lock.ending() == null && leaseOver && (record == null || record.ended() == null);
        Instant closedUntil = over == null ? null : over.closedUntil();
        List<Queued> alive = lock.waiting().stream()
                .filter(queued -> !clock.hasCome(queued.until()))
                .filter(queued -> asked.contains(queued.lease().id())
                        ? !isOver(queued.lease(), records.get(queued.lease().id()), askedAt)
                        : !leases.hasEnded(queued.lease().id()))
                .toList();
        return new Judged(
                lock,
                lease,
                record,
                over,
                expired,
                closedUntil != null && !clock.hasCome(closedUntil),
                alive,
                seenAt(lock, lease));
    }

    /** Never before what the record tells, although its writer's idea of the server's clock may have been ahead. */
    private Instant seenAt(LockRecord lock, LeaseTimes lease) {
        Instant began = lock.tenure().acquiredAt();
        Instant ended = lock.ending() == null ? began : lock.ending().at();
        return later(clock.latest(), later(lease.renewedAt(), later(began, ended)));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private boolean isOver(LeaseTimes remembered, @Nullable LeaseRecord record, long askedAt) {
        if (record != null && record.ended() != null) {
            return true;
        }
        LeaseTimes lease = record == null ? remembered : record.times();
        long version = record == null ? 0 : record.version();
        // Both are asked, so that observing begins with the first look.
        boolean unchanged = sightings.unchangedFor(lease.duration(), lease.id(), version, askedAt);
        return unchanged || clock.isPast(lease.expiresAt());
    }

    private @Nullable Ending over(Tenure tenure, LeaseTimes lease, @Nullable LeaseRecord record, boolean leaseOver) {
        Instant limit = tenure.limit();
        if (limit != null && !limit.isAfter(lease.expiresAt()) && clock.isPast(limit)) {
            return ending(tenure, tenure.forced() == null ? Past.Event.HELD_TOO_LONG : Past.Event.EXPIRED, limit);
        }
        if (!leaseOver) {
            return null;
        }
        LeaseRecord.Ended ended = record == null ? null : record.ended();
        return ended != null && ended.why() == Loss.Cause.ALREADY_RELEASED
                ? ending(tenure, Past.Event.RELEASED, ended.at())
                : ending(tenure, Past.Event.EXPIRED, tenure.expiresAt(lease));
    }

    /** After a clean end there is a cooldown, after any other a lock-delay. */
    static Ending ending(Tenure tenure, Past.Event how, Instant at) {
        Duration closed = how == Past.Event.RELEASED
                ? tenure.terms().cooldown()
                : tenure.terms().lockDelay();
        return new Ending(how, at, closed.isZero() ? null : at.plus(closed));
    }
}

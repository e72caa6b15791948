package dev.interlock.dynamodb;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.polling.Sightings;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this process keeps alive, each with one write however much hangs on it. A lease has no record of its
 * own until it is first renewed: the first grant is one write, and tells the lease's times itself.
 */
final class Leases {
    /** Many more than a process keeps; the rest has ended. */
    private static final int MOST_KEPT = 1000;

    private final Requests requests;
    private final ServerClock clock;
    private final Sightings sightings;
    private final Map<UUID, Kept> kept = new ConcurrentHashMap<>();

    Leases(Requests requests, Sightings sightings) {
        this.requests = requests;
        this.clock = requests.clock();
        this.sightings = sightings;
    }

    /** One lease of this process. */
    private static final class Kept {
        final Lease lease;
        final Map<Held, Instant> limits = new ConcurrentHashMap<>();
        LeaseTimes times;
        boolean opened;
        boolean stored;

        @Nullable Loss ended;

        Kept(Lease lease, LeaseTimes times) {
            this.lease = lease;
            this.times = times;
        }
    }

    private record Held(LockName name, long token) {}

    /**
     * The times of a lease on which something is asked for. The first time this process uses a lease its record is
     * read, since somebody may have ended it; from then on this process knows.
     *
     * @throws LeaseEnded if it has ended
     */
    LeaseTimes require(Lease lease) {
        Kept known = kept.get(lease.id());
        if (known == null) {
            LeaseRecord record = read(lease.id());
            forgetTheEnded();
            known = kept.computeIfAbsent(
                    lease.id(), id -> new Kept(lease, record == null ? fresh(lease) : record.times()));
            if (record != null) {
                stored(known, record);
            }
        }
        synchronized (known) {
            if (!known.opened) {
                known.times = fresh(lease);
            }
            if (known.ended != null || clock.isPast(known.times.expiresAt())) {
                throw new LeaseEnded(lease);
            }
            return known.times;
        }
    }

    private void forgetTheEnded() {
        if (kept.size() > MOST_KEPT) {
            kept.keySet().removeIf(this::hasEnded);
        }
    }

    private LeaseTimes fresh(Lease lease) {
        Instant now = clock.latest();
        return new LeaseTimes(lease.id(), lease.duration(), now, until(now, lease));
    }

    private static Instant until(Instant now, Lease lease) {
        return now.plus(lease.duration()).truncatedTo(ChronoUnit.MILLIS);
    }

    private static void stored(Kept lease, LeaseRecord record) {
        synchronized (lease) {
            lease.times = record.times();
            lease.opened = true;
            lease.stored = true;
            LeaseRecord.Ended ended = record.ended();
            lease.ended = ended == null ? lease.ended : ended.why();
        }
    }

    /** Something hangs on it now. */
    void opened(Lease lease, LeaseTimes times) {
        Kept known = kept.computeIfAbsent(lease.id(), id -> new Kept(lease, times));
        synchronized (known) {
            if (!known.opened) {
                known.times = times;
                known.opened = true;
            }
        }
    }

    /** This grant ends by itself, whatever becomes of its lease. */
    void holds(LockRecord lock) {
        Kept known = kept.get(lock.tenure().lease().id());
        Instant limit = lock.tenure().limit();
        if (known != null && limit != null) {
            known.limits.put(new Held(lock.name(), lock.token()), limit);
        }
    }

    /** The holder knows that this grant is over. */
    void holdsNoMore(UUID lease, LockName name, long token) {
        Kept known = kept.get(lease);
        if (known != null) {
            known.limits.remove(new Held(name, token));
        }
    }

    /** The latest that is known of a lease: what this process knows of its own, else what is remembered. */
    @Nullable LeaseTimes latest(LeaseTimes remembered) {
        Kept known = kept.get(remembered.id());
        if (known == null) {
            return remembered;
        }
        synchronized (known) {
            return known.ended != null ? null : known.opened ? known.times : remembered;
        }
    }

    /** Whether this process knows that the lease has ended. */
    boolean hasEnded(UUID lease) {
        Kept known = kept.get(lease);
        if (known == null) {
            return false;
        }
        synchronized (known) {
            return known.ended != null || (known.opened && clock.isPast(known.times.expiresAt()));
        }
    }

    @Nullable LeaseRecord read(UUID lease) {
        Item item = requests.get(LeaseRecord.key(lease));
        return item == null ? null : LeaseRecord.from(item);
    }

    LeaseRenewal renew(Lease lease) {
        for (int attempt = 1; ; attempt++) {
            Kept known = known(lease);
            if (known == null) {
                return new LeaseRenewal.Ended(lease, Loss.Cause.FORGOTTEN);
            }
            Loss why = whyEnded(known);
            if (why != null) {
                return new LeaseRenewal.Ended(lease, why);
            }
            switch (requests.update(renewal(known))) {
                case Write.Done(Item item) -> {
                    LeaseRecord record = LeaseRecord.from(Objects.requireNonNull(item));
                    stored(known, record);
                    return new LeaseRenewal.Renewed(lease, record.times().expiresAt(), taken(known, record));
                }
                case Write.Refused(Item current, int at) -> {
                    if (current == null) {
                        kept.remove(lease.id());
                    } else {
                        // It has ended, or lasts longer than we knew: then an answer to us was lost.
                        stored(known, LeaseRecord.from(current));
                    }
                }
            }
            requests.pause(attempt);
        }
    }

    private @Nullable Kept known(Lease lease) {
        Kept known = kept.get(lease.id());
        if (known != null && known.opened) {
            return known;
        }
        LeaseRecord record = read(lease.id());
        if (record == null) {
            kept.remove(lease.id());
            return null;
        }
        Kept adopted = kept.computeIfAbsent(lease.id(), id -> new Kept(lease, record.times()));
        stored(adopted, record);
        return adopted;
    }

    /**
     * A lease that has run out is revoked here too, before its end is told: what was told to be over must not come back
     * with a renewal that was slow on its way.
     */
    private @Nullable Loss whyEnded(Kept known) {
        while (known.ended == null && clock.isPast(known.times.expiresAt())) {
            LeaseRecord record = read(known.lease.id());
            if (record != null) {
                stored(known, record);
            }
            if (known.ended == null && clock.isPast(known.times.expiresAt())) {
                revoke(known.times, record, known.lease.owner(), known.lease.user());
            }
        }
        return known.ended;
    }

    /** A clock that was set back shortens nothing that was promised. */
    private Change renewal(Kept known) {
        Lease lease = known.lease;
        Instant now = clock.latest();
        Instant until = until(now, lease);
        Instant promised = known.times.expiresAt();
        LeaseTimes next = new LeaseTimes(lease.id(), lease.duration(), now, until.isAfter(promised) ? until : promised);
        return new Change(LeaseRecord.key(lease.id()))
                .set(described(lease, next))
                .count(Item.VERSION, 0)
                .provided(
                        "attribute_not_exists(#ended) AND (attribute_not_exists(#expires_at) OR #expires_at <= :expires_at)"
                                + (known.stored ? " AND attribute_exists(#version)" : ""),
                        "ended",
                        "expires_at",
                        Item.VERSION);
    }

    private static Item described(Lease lease, LeaseTimes times) {
        return times.item()
                .with("owner", lease.owner())
                .with("user", lease.user())
                .with(Item.LISTING, LeaseRecord.RECORD)
                .with(Item.LISTING_ORDER, lease.id().toString());
    }

    /** What was forced is in the record; what has reached its maximum hold, its own process knows. */
    private List<Taken> taken(Kept known, LeaseRecord record) {
        List<Taken> taken = new ArrayList<>(record.taken());
        known.limits.forEach((held, limit) -> {
            if (clock.isPast(limit)
                    && taken.stream()
                            .noneMatch(other -> other.token() == held.token()
                                    && other.name().equals(held.name()))) {
                taken.add(new Taken(held.name(), held.token(), Loss.Cause.HELD_TOO_LONG));
            }
        });
        return taken;
    }

    /**
     * Ends a lease that has run out, by compare-and-set, before anything that hung on it is given to somebody else: a
     * renewal that is still on its way finds it ended. False when it was renewed meanwhile.
     */
    boolean revoke(LeaseTimes times, @Nullable LeaseRecord seen, String owner, String user) {
        LeaseRecord open = seen == null ? new LeaseRecord(times, owner, user, 0, null, List.of()) : seen;
        if (open.ended() != null) {
            return true;
        }
        LeaseRecord revoked = open.endedBy(Loss.Cause.EXPIRED, open.times().expiresAt());
        Write write = requests.put(revoked.item(), Change.unchanged(open.version()));
        LeaseRecord now = write instanceof Write.Refused(Item current, int at) && current != null
                ? LeaseRecord.from(current)
                : revoked;
        Kept own = kept.get(times.id());
        if (own != null) {
            stored(own, now);
        }
        if (now.ended() != null) {
            sightings.forget(times.id());
        }
        return now.ended() != null;
    }

    /** Ends a lease cleanly; what hung on it has been given back before. */
    void end(Lease lease) {
        Kept known = kept.get(lease.id());
        LeaseTimes times = known != null && known.opened ? known.times : null;
        Instant now = clock.latest();
        Change ending = new Change(LeaseRecord.key(lease.id()))
                .set(described(lease, times == null ? fresh(lease) : times))
                .set(Item.empty()
                        .with(
                                "ended",
                                Item.empty()
                                        .with("why", Loss.Cause.ALREADY_RELEASED.name())
                                        .with("at", now)))
                .count(Item.VERSION, 0)
                .provided(
                        "attribute_not_exists(#ended)" + (times == null ? " AND attribute_exists(#version)" : ""),
                        "ended",
                        Item.VERSION);
        Write write = requests.update(ending);
        if (known == null) {
            return;
        }
        Item item = write instanceof Write.Refused(Item current, int at) ? current : ((Write.Done) write).item();
        if (item != null) {
            stored(known, LeaseRecord.from(item));
        }
    }
}

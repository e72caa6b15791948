package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import dev.interlock.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What granting, queueing and renewing make of a lock. */
final class Grants {
    /** In bytes: what a grant, its end and the names beside them may need next to the queue, at their longest. */
    private static final int BESIDE_THE_QUEUE = 64 * 1024;

    private Grants() {}

    static void requireAlive(LockRecord record, Lease lease) {
        if (Endings.ending(record, lease) != null) {
            throw new LeaseEnded(lease);
        }
    }

    /** What stands in the way; null when nothing does. Nobody passes those who wait. */
    static @Nullable Acquisition obstacle(LockRecord record, Ask ask) {
        if (record.isHeldBy(ask.holder())) {
            return null;
        }
        if (record.isHeld() || (record.tenure() != null && !record.queue().isEmpty())) {
            return new Acquisition.Held(record.view());
        }
        Instant closedUntil = record.closing().orElse(null);
        return record.isClosed() && closedUntil != null ? new Acquisition.Cooling(record.view(), closedUntil) : null;
    }

    static Acquisition acquire(LockRecord record, Ask ask, String identity, LeaseTimes times) {
        requireAlive(record, ask.lease());
        Acquisition obstacle = obstacle(record, ask);
        if (obstacle != null) {
            refuse(record, ask.holder());
            return obstacle;
        }
        return new Acquisition.Granted(take(record, ask, identity, times));
    }

    private static Lock take(LockRecord record, Ask ask, String identity, LeaseTimes times) {
        Tenure own = record.heldBy(ask.holder());
        Lease lease = ask.lease();
        record.grant(
                own == null
                        ? Tenure.begin(record.nextToken(), ask, identity, 0, times, record.stamp())
                        : own.renewed(lease.id(), lease.duration(), LeaseTimes.from(record.stamp(), lease.duration())));
        return record.view();
    }

    private static void refuse(LockRecord record, Holder holder) {
        Tenure tenure = record.tenure();
        if (tenure != null) {
            record.note(Past.Event.REFUSED, tenure.token(), holder, null);
        }
    }

    /** A place in the queue, or what makes one needless or impossible. */
    sealed interface Entering {
        record Answered(Entry entry) implements Entering {}

        record Queued(Waiting waiting, Lock current, int position) implements Entering {}
    }

    static Entering enter(
            LockRecord record, Ask ask, String identity, LeaseTimes times, Duration wait, int queueLimit) {
        requireAlive(record, ask.lease());
        if (obstacle(record, ask) == null) {
            return new Entering.Answered(new Acquisition.Granted(take(record, ask, identity, times)));
        }
        List<Waiting> queue = record.queue();
        Waiting before = waiting(record, ask.holder());
        if (before == null && queue.size() >= queueLimit) {
            return full(record, ask, queueLimit);
        }
        long ticket = before == null ? record.number() : before.ticket();
        Instant since = before == null ? record.stamp() : before.since();
        Waiting waiting =
                Waiting.of(ticket, ask, identity, since, record.stamp().plus(wait), times);
        if (before != null) {
            queue.set(queue.indexOf(before), waiting);
        } else if (fits(record, waiting)) {
            queue.add(waiting);
        } else {
            return full(record, ask, queue.size());
        }
        record.change();
        return new Entering.Queued(waiting, record.view(), queue.indexOf(waiting) + 1);
    }

    private static Entering full(LockRecord record, Ask ask, int limit) {
        refuse(record, ask.holder());
        return new Entering.Answered(new Entry.QueueFull(record.view(), limit));
    }

    /** Whoever is let in here can be written, and so can whatever happens to the lock afterwards. */
    private static boolean fits(LockRecord record, Waiting another) {
        List<Waiting> longer = new ArrayList<>(record.queue());
        longer.add(another);
        return Content.size(longer) <= record.room() - BESIDE_THE_QUEUE;
    }

    static @Nullable Waiting waiting(LockRecord record, Holder holder) {
        return record.queue().stream()
                .filter(waiting -> Tenure.same(waiting.holder(), holder))
                .findFirst()
                .orElse(null);
    }

    static Renewal renew(LockRecord record, Lock lock) {
        Tenure held = record.heldBy(lock.holder());
        if (held == null || held.token() != lock.token()) {
            return Endings.lost(record, lock);
        }
        record.keep(held.renewed(held.lease(), held.duration(), LeaseTimes.from(record.stamp(), held.duration())));
        return new Renewal.Renewed(record.view());
    }

    /** Carries everything of a lease on, here; the tokens that have it no longer are not touched. */
    static void renew(LockRecord record, Lease lease, LeaseTimes times) {
        Tenure held = record.tenure();
        if (held != null && held.isCurrent() && held.lease().equals(lease.id())) {
            // A forced grant is renewed too: its own limit ends it, and its holder is told with every renewal.
            record.keep(held.renewed(held.lease(), held.duration(), times));
        }
        record.queue().replaceAll(waiting -> {
            if (!waiting.lease().equals(lease.id())) {
                return waiting;
            }
            record.change();
            return waiting.renewed(times);
        });
    }

    static boolean drop(LockRecord record, long ticket) {
        boolean dropped = record.queue().removeIf(waiting -> waiting.ticket() == ticket);
        if (dropped) {
            record.change();
        }
        return dropped;
    }
}

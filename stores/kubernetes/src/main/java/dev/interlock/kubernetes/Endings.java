package dev.interlock.kubernetes;

import dev.interlock.core.Ask;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What giving up, taking away and running out make of a lock, and how it is told to those who had it. */
final class Endings {
    private Endings() {}

    static Release release(LockRecord record, Lock lock) {
        Tenure held = record.tenure();
        if (held != null && isCurrent(held, lock)) {
            end(record, held, Past.Event.RELEASED);
        }
        Gone gone = tenureOf(record, lock);
        return gone != null && gone.ending() == Past.Event.RELEASED ? new Release.Released() : lost(record, lock);
    }

    private static boolean isCurrent(Tenure held, Lock lock) {
        return held.isCurrent() && held.token() == lock.token() && held.isOf(lock.holder());
    }

    private static void end(LockRecord record, Tenure held, Past.Event how) {
        record.end(held, how, record.stamp(), false);
        record.change();
        record.handOver();
    }

    /** Gives a grant back as if it had never been: of a set that could not be had as a whole. */
    static void undo(LockRecord record, Lock lock) {
        Tenure held = record.heldBy(lock.holder());
        if (held != null && held.token() == lock.token()) {
            record.end(held, Past.Event.RELEASED, record.stamp(), false);
            record.reopen();
            record.change();
            record.handOver();
        }
    }

    static void withdraw(LockRecord record, Ask ask) {
        Waiting waiting = Grants.waiting(record, ask.holder());
        if (waiting != null) {
            record.queue().remove(waiting);
            record.change();
        }
        Tenure held = record.heldBy(ask.holder());
        if (held != null) {
            end(record, held, Past.Event.RELEASED);
        }
    }

    /**
     * Frees what hangs on this lease, here: its places first, so that it is not handed what it gives up.
     *
     * @param how {@link Past.Event#RELEASED} when it was given up, {@link Past.Event#EXPIRED} when it ran out
     */
    static void end(LockRecord record, Lease lease, Past.Event how) {
        if (record.queue().removeIf(waiting -> waiting.lease().equals(lease.id()))) {
            record.change();
        }
        Tenure held = record.tenure();
        if (held != null && held.isCurrent() && held.lease().equals(lease.id())) {
            record.end(held, how, record.stamp(), true);
            record.change();
        }
        if (record.isChanged()) {
            record.handOver();
        }
    }

    /** Writes down that a lease that ran out is over, so that it stays so whatever the clock shows later. */
    static void confirmOver(LockRecord record, UUID lease) {
        Tenure last = record.tenure();
        if (last != null && !last.isCurrent() && last.lease().equals(lease)) {
            record.change();
            record.handOver();
        }
    }

    static Forcing force(LockRecord record, Force order) {
        Tenure held = record.tenure();
        if (held == null || !held.isCurrent()) {
            return new Forcing.Free();
        }
        Lock previous = record.view();
        if (held.token() != order.seenToken()) {
            return new Forcing.Moved(previous);
        }
        Lock.Forced by = new Lock.Forced(order.actor(), order.reason());
        Tenure told = held.forcedBy(by);
        record.keep(told);
        record.note(Past.Event.FORCE_ORDERED, held.token(), held.holder(), by);
        if (!order.now()) {
            return new Forcing.Releasing(previous, told.expiresAt());
        }
        end(record, told, Past.Event.FORCED);
        return new Forcing.Released(previous);
    }

    // How it is told.

    /** Why this grant is not to be relied on any more; null while it is. */
    static @Nullable Loss loss(LockRecord record, long token) {
        Tenure held = record.tenure();
        if (held != null && held.isCurrent() && held.token() == token) {
            Lock.Forced forced = held.forced();
            return forced == null ? null : new Loss.ForcedBy(forced.actor(), forced.reason());
        }
        return record.past().stream()
                .filter(gone -> gone.isTenure() && gone.token() == token)
                .findFirst()
                .map(gone -> gone.loss(latestToken(record)))
                .orElse(held == null || held.token() < token ? Loss.Cause.FORGOTTEN : Loss.Cause.SUPERSEDED);
    }

    /** How this lease ended, by what is written here; null when nothing says that it has. */
    static @Nullable Loss ending(LockRecord record, Lease lease) {
        return record.past().stream()
                .filter(gone -> gone.leaseOver() && lease.id().equals(gone.lease()))
                .findFirst()
                .<Loss>map(
                        gone -> gone.ending() == Past.Event.RELEASED ? Loss.Cause.ALREADY_RELEASED : Loss.Cause.EXPIRED)
                .orElse(null);
    }

    static Lost lost(LockRecord record, Lock lock) {
        Tenure held = record.tenure();
        Lock current = held == null ? null : record.view();
        if (held != null && isCurrent(held, lock)) {
            Loss forced = loss(record, lock.token());
            return new Lost(forced == null ? Loss.Cause.FORGOTTEN : forced, current);
        }
        Gone gone = tenureOf(record, lock);
        if (gone != null) {
            return new Lost(gone.loss(latestToken(record)), current);
        }
        boolean newer = held != null && held.token() > lock.token();
        return new Lost(newer ? Loss.Cause.SUPERSEDED : Loss.Cause.FORGOTTEN, current);
    }

    private static @Nullable Gone tenureOf(LockRecord record, Lock lock) {
        return record.past().stream()
                .filter(gone ->
                        gone.isTenure() && gone.token() == lock.token() && Tenure.same(gone.holder(), lock.holder()))
                .findFirst()
                .orElse(null);
    }

    private static long latestToken(LockRecord record) {
        Tenure tenure = record.tenure();
        return tenure == null ? 0 : tenure.token();
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Past;
import dev.interlock.core.Release;
import dev.interlock.core.polling.Turn;
import dev.interlock.core.polling.Waiting;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Giving back, and what became of a grant that is not there any more. */
final class Releasing {
    private final Requests requests;
    private final Leases leases;
    private final Judge judge;
    private final Granting granting;
    private final Snapshots snapshots;
    private final Queue queue;
    private final Entering entering;
    private final History history;

    Releasing(
            Requests requests,
            Leases leases,
            Judge judge,
            Granting granting,
            Snapshots snapshots,
            Queue queue,
            Entering entering,
            History history) {
        this.requests = requests;
        this.leases = leases;
        this.judge = judge;
        this.granting = granting;
        this.snapshots = snapshots;
        this.queue = queue;
        this.entering = entering;
        this.history = history;
    }

    /**
     * One write on the strength of the record as it was granted; when a neighbour waits, the same write gives the lock
     * to it.
     */
    Release release(Turn turn, Lock lock) {
        LockRecord record = snapshots.of(lock.name());
        if (record == null || record.token() != lock.token()) {
            record = LockRecord.from(requests.get(LockRecord.key(lock.name())));
        }
        for (int attempt = 1; ; attempt++) {
            if (record == null || !isOf(record, lock) || record.ending() != null) {
                return over(lock, record, record == null ? null : judge.quickly(record));
            }
            Judged judged = judge.quickly(record);
            if (!judged.isHeld()) {
                return over(lock, record, judged);
            }
            Write write = write(turn, judged);
            if (write instanceof Write.Done) {
                leases.holdsNoMore(record.tenure().lease().id(), lock.name(), lock.token());
                return new Release.Released();
            }
            requests.pause(attempt);
            record = LockRecord.from(requests.get(LockRecord.key(lock.name())));
        }
    }

    private static boolean isOf(LockRecord record, Lock lock) {
        return record.token() == lock.token() && record.tenure().isOf(lock.holder());
    }

    private Write write(Turn turn, Judged judged) {
        LockRecord record = judged.lock();
        List<Waiting> here = queue.alive(turn);
        List<Queued> elsewhere = judged.waitingOutside(queue.room());
        List<TransactWriteItem> more = acknowledging(record);
        boolean closes = !record.tenure().terms().cooldown().isZero();
        if (!here.isEmpty() && !closes && turn.mayHandOver(!elsewhere.isEmpty())) {
            Waiting head = here.getFirst();
            LockRecord next = granting.next(record, head.ask(), queue.with(elsewhere, here.subList(1, here.size())));
            Write write = granting.handOver(record, next, more);
            if (write instanceof Write.Done) {
                entering.handed(turn, head, next);
            }
            return write;
        }
        LockRecord.Ending ending = Judge.ending(
                record.tenure(), Past.Event.RELEASED, requests.clock().latest());
        LockRecord next = record.ended(ending, queue.with(elsewhere, here));
        Write write = granting.handOver(record, next, more);
        if (write instanceof Write.Done) {
            queue.written(next);
            left(turn, next, here, elsewhere);
        }
        return write;
    }

    private void left(Turn turn, LockRecord next, List<Waiting> here, List<Queued> elsewhere) {
        if (here.isEmpty()) {
            snapshots.forget(next.name());
            return;
        }
        snapshots.keep(next);
        turn.changed();
        if (!elsewhere.isEmpty()) {
            turn.standBack();
        }
    }

    /** A holder that was told to stop has; it need not be told again. */
    private List<TransactWriteItem> acknowledging(LockRecord record) {
        if (record.tenure().forced() == null) {
            return List.of();
        }
        LeaseRecord lease = leases.read(record.tenure().lease().id());
        if (lease == null) {
            return List.of();
        }
        List<Taken> others = without(lease, record.name().value(), record.token());
        return List.of(requests.putting(lease.taking(others).item(), Change.unchanged(lease.version())));
    }

    private static List<Taken> without(LeaseRecord lease, String name, long token) {
        List<Taken> others = new ArrayList<>(lease.taken());
        others.removeIf(taken -> taken.token() == token && taken.name().value().equals(name));
        return others;
    }

    /** The grant is not the present one, or it is over: the holder learns why, and is not told again. */
    private Release over(Lock lock, @Nullable LockRecord record, @Nullable Judged judged) {
        acknowledge(lock);
        Loss why = why(lock, record, judged);
        boolean wasReleased = why == Loss.Cause.ALREADY_RELEASED;
        if (wasReleased || wasConfirmed(lock, record)) {
            return new Release.Released();
        }
        return new Lost(why, judged == null ? null : judged.view());
    }

    private void acknowledge(Lock lock) {
        UUID id = lock.grant().lease();
        leases.holdsNoMore(id, lock.name(), lock.token());
        LeaseRecord lease = leases.read(id);
        if (lease != null
                && lease.taken().size()
                        > without(lease, lock.name().value(), lock.token()).size()) {
            // If the lease is renewed at this moment the holder is told once more, which is harmless.
            requests.put(
                    lease.taking(without(lease, lock.name().value(), lock.token()))
                            .item(),
                    Change.unchanged(lease.version()));
        }
    }

    /** It was told to stop, and said that it did. */
    private boolean wasConfirmed(Lock lock, @Nullable LockRecord record) {
        if (record == null) {
            return false;
        }
        if (isOf(record, lock)) {
            return record.ending() != null && record.ending().how() == Past.Event.RELEASED;
        }
        PastRecord past = history.tenure(lock);
        return past != null && past.ending() == Past.Event.RELEASED;
    }

    Lost lost(Lock lock, @Nullable LockRecord record, @Nullable Judged judged) {
        return new Lost(why(lock, record, judged), judged == null ? null : judged.view());
    }

    private Loss why(Lock lock, @Nullable LockRecord record, @Nullable Judged judged) {
        if (record == null || judged == null || lock.token() > record.token()) {
            return Loss.Cause.FORGOTTEN;
        }
        if (isOf(record, lock)) {
            LockRecord.Ending over = judged.over();
            return why(record.tenure().forced(), over == null ? null : over.how(), Loss.Cause.EXPIRED);
        }
        PastRecord past = history.tenure(lock);
        return past == null ? Loss.Cause.FORGOTTEN : why(past.forced(), past.ending(), Loss.Cause.SUPERSEDED);
    }

    private static Loss why(Lock.@Nullable Forced forced, Past.@Nullable Event how, Loss expired) {
        if (forced != null) {
            return new Loss.ForcedBy(forced.actor(), forced.reason());
        }
        return switch (how) {
            case RELEASED -> Loss.Cause.ALREADY_RELEASED;
            case HELD_TOO_LONG -> Loss.Cause.HELD_TOO_LONG;
            case EXPIRED -> expired;
            case null, default -> Loss.Cause.FORGOTTEN;
        };
    }
}

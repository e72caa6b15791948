package dev.interlock.dynamodb;

import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** A person ends a grant: the lock, the notice on the holder's lease and the history change in one transaction. */
final class ForcedRelease {
    private final Requests requests;
    private final Judge judge;
    private final Journal journal;

    ForcedRelease(Requests requests, Judge judge, Journal journal) {
        this.requests = requests;
        this.judge = judge;
        this.journal = journal;
    }

    Forcing force(Force order) {
        for (int attempt = 1; ; attempt++) {
            LockRecord lock = LockRecord.from(requests.get(LockRecord.key(order.name())));
            Judged judged = lock == null ? null : judge.fully(lock);
            if (judged == null || !judged.isHeld()) {
                return new Forcing.Free();
            }
            if (judged.lock().token() != order.seenToken()) {
                return new Forcing.Moved(judged.view());
            }
            if (judged.lock().tenure().forced() != null && !order.now()) {
                return new Forcing.Releasing(judged.view(), judged.expiresAt());
            }
            if (requests.transact(writes(judged, order)) instanceof Write.Done) {
                return order.now()
                        ? new Forcing.Released(judged.view())
                        : new Forcing.Releasing(judged.view(), judged.expiresAt());
            }
            requests.pause(attempt);
        }
    }

    private List<TransactWriteItem> writes(Judged judged, Force order) {
        Instant now = requests.clock().latest();
        LockRecord lock = judged.lock();
        Lock.Forced by = new Lock.Forced(order.actor(), order.reason());
        LockRecord told = lock.with(lock.tenure().forcedBy(by, judged.expiresAt()));
        List<TransactWriteItem> writes = new ArrayList<>();
        writes.add(requests.putting(journal.entry(lock, PastRecord.ordered(lock, by, now))));
        if (order.now()) {
            LockRecord.Ending ending = Judge.ending(lock.tenure(), Past.Event.FORCED, now);
            LockRecord ended =
                    new LockRecord(lock.name(), told.version(), lock.token(), told.tenure(), ending, lock.waiting());
            writes.add(requests.putting(journal.ended(told, ending)));
            writes.add(requests.putting(ended.item(), Change.unchanged(lock)));
        } else {
            writes.add(requests.putting(told.item(), Change.unchanged(lock)));
        }
        writes.add(notice(judged, by));
        return writes;
    }

    private TransactWriteItem notice(Judged judged, Lock.Forced by) {
        Tenure tenure = judged.lock().tenure();
        LeaseRecord lease = judged.record() != null
                ? judged.record()
                : new LeaseRecord(
                        judged.lease(), tenure.holder().owner(), tenure.holder().user(), 0, null, List.of());
        List<Taken> taken = new ArrayList<>(lease.taken());
        taken.removeIf(other -> other.token() == judged.lock().token()
                && other.name().equals(judged.lock().name()));
        taken.add(new Taken(judged.lock().name(), judged.lock().token(), new Loss.ForcedBy(by.actor(), by.reason())));
        return requests.putting(lease.taking(taken).item(), Change.unchanged(lease.version()));
    }
}

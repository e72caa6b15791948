package dev.interlock.dynamodb;

import dev.interlock.core.Holder;
import dev.interlock.core.Past;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what happened to a lock. */
final class Journal {
    private final Requests requests;
    private final String room;
    private final AtomicLong last = new AtomicLong();

    Journal(Requests requests, String room) {
        this.requests = requests;
        this.room = room;
    }

    /** Belongs into the same request as what it records. */
    Item entry(LockRecord lock, PastRecord record) {
        return record.item(lock.name(), sequence());
    }

    Item ended(LockRecord lock, Past.Event how) {
        return ended(lock, Judge.ending(lock.tenure(), how, requests.clock().latest()));
    }

    Item ended(LockRecord lock, LockRecord.Ending ending) {
        return entry(lock, PastRecord.ended(lock, ending));
    }

    /** A refusal changes nothing but this. */
    void refused(LockRecord lock, Holder holder) {
        requests.put(
                entry(lock, PastRecord.refused(lock, holder, requests.clock().latest())));
    }

    /** Later than all before in this process; between processes as exact as the server's clock is known. */
    private String sequence() {
        long micros = requests.clock().latest().toEpochMilli() * 1000;
        long next = last.updateAndGet(before -> Math.max(before + 1, micros));
        return "%017d#%s".formatted(next, room);
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.polling.Turn;
import dev.interlock.core.polling.Waiting;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who waits, as every process can read it in the lock's record. The first who waits in a process is written there at
 * once; those who come after are written with the next change, or the next look.
 */
final class Queue {
    /** So many of each process are shown; the record must stay small. */
    static final int MOST_SHOWN = 100;

    private final String room;
    private final ServerClock clock;
    private final Leases leases;
    private final AtomicLong lastTicket = new AtomicLong();
    private final Set<Long> shown = ConcurrentHashMap.newKeySet();

    Queue(String room, ServerClock clock, Leases leases) {
        this.room = room;
        this.clock = clock;
        this.leases = leases;
    }

    String room() {
        return room;
    }

    /** Later tickets are larger; between processes as exactly as the server's clock is known. */
    long nextTicket() {
        long micros = clock.latest().toEpochMilli() * 1000;
        return lastTicket.updateAndGet(before -> Math.max(before + 1, micros));
    }

    /** Those who wait here and whose lease is alive; the others are told. */
    List<Waiting> alive(Turn turn) {
        for (Waiting waiting : turn.queue()) {
            if (leases.hasEnded(waiting.ask().lease().id())) {
                turn.dropped(waiting, Handover.Reason.LEASE_ENDED);
                gone(waiting.ticket());
            }
        }
        return turn.queue();
    }

    /** Whoever was shown and is not any more has been removed by somebody. */
    void dropWhoWasCancelled(Turn turn, LockRecord lock) {
        for (Waiting waiting : turn.queue()) {
            boolean isThere = lock.waiting().stream().anyMatch(queued -> queued.ticket() == waiting.ticket());
            if (!isThere && shown.remove(waiting.ticket())) {
                turn.dropped(waiting, Handover.Reason.CANCELLED);
            }
        }
    }

    /** What the record should say: those who wait elsewhere and are alive, and those who wait here. */
    List<Queued> with(List<Queued> elsewhere, List<Waiting> here) {
        List<Queued> all = new ArrayList<>(elsewhere);
        here.stream().limit(MOST_SHOWN).map(this::queued).forEach(all::add);
        all.sort(Comparator.comparingLong(Queued::ticket));
        return all;
    }

    private Queued queued(Waiting waiting) {
        Ask ask = waiting.ask();
        Instant since = Instant.ofEpochMilli(waiting.ticket() / 1000);
        return new Queued(
                room,
                waiting.ticket(),
                ask.holder(),
                leases.require(ask.lease()),
                since,
                since.plus(waiting.patience()));
    }

    /** Whether the record tells the truth about those who wait here. */
    boolean shows(LockRecord lock, List<Waiting> here) {
        List<Long> there = lock.waiting().stream()
                .filter(queued -> queued.room().equals(room))
                .map(Queued::ticket)
                .toList();
        return there.equals(here.stream().limit(MOST_SHOWN).map(Waiting::ticket).toList());
    }

    boolean showsSomebody(LockRecord lock) {
        return lock.waiting().stream().anyMatch(queued -> queued.room().equals(room));
    }

    /** That record was written. */
    void written(LockRecord lock) {
        lock.waiting().stream()
                .filter(queued -> queued.room().equals(room))
                .forEach(queued -> shown.add(queued.ticket()));
    }

    boolean wasShown(Waiting waiting) {
        return shown.contains(waiting.ticket());
    }

    void gone(long ticket) {
        shown.remove(ticket);
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Handover;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.Ports;
import dev.interlock.core.polling.Turn;
import dev.interlock.core.polling.Waiting;
import dev.interlock.core.polling.WaitingRoom;
import dev.interlock.dynamodb.Granting.Taking;
import dev.interlock.dynamodb.LockRecord.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asking and waiting. */
final class Entering {
    /** After an instant of the server's clock has come, for certain. */
    private static final Duration CERTAINLY = ServerClock.SKEW.plusMillis(1100);

    private final Requests requests;
    private final ServerClock clock;
    private final Leases leases;
    private final Judge judge;
    private final Journal journal;
    private final Granting granting;
    private final Snapshots snapshots;
    private final Queue queue;
    private final WaitingRoom room;
    private final Function<Waiting, QueuedPlace> places;

    Entering(
            Requests requests,
            Leases leases,
            Judge judge,
            Journal journal,
            Granting granting,
            Snapshots snapshots,
            Queue queue,
            Ports ports,
            Function<Waiting, QueuedPlace> places) {
        this.requests = requests;
        this.clock = requests.clock();
        this.leases = leases;
        this.judge = judge;
        this.journal = journal;
        this.granting = granting;
        this.snapshots = snapshots;
        this.queue = queue;
        this.room = new WaitingRoom(ports, queue::nextTicket, this::look);
        this.places = places;
    }

    WaitingRoom room() {
        return room;
    }

    /**
     * A lock that a neighbour holds or waits for is not asked for first: the answer is known. Whatever is known may be
     * outdated, but then the write that shows the waiter is refused and tells the truth.
     */
    Entry enter(Ask ask, Duration wait, int limit) {
        leases.require(ask.lease());
        return room.turn(ask.name(), turn -> {
            LockRecord known = snapshots.of(ask.name());
            if (known != null) {
                return enter(turn, ask, wait, limit, known);
            }
            String lockId = granting.newLockId();
            for (int attempt = 1; ; attempt++) {
                switch (granting.take(ask, lockId)) {
                    case Write.Done(Item item) -> {
                        return new Acquisition.Granted(
                                granting.granted(ask, Objects.requireNonNull(LockRecord.from(item))));
                    }
                    case Write.Refused(Item current, int at) -> {
                        LockRecord lock = LockRecord.from(current);
                        if (lock != null && lock.tenure().lockId().equals(lockId)) {
                            return new Acquisition.Granted(granting.granted(ask, lock));
                        }
                        if (lock != null) {
                            return enter(turn, ask, wait, limit, lock);
                        }
                    }
                }
                requests.pause(attempt);
            }
        });
    }

    private Entry enter(Turn turn, Ask ask, Duration wait, int limit, LockRecord first) {
        LockRecord lock = first;
        for (int attempt = 1; ; attempt++) {
            Judged judged = judge.quickly(lock);
            List<Waiting> here = queue.alive(turn);
            Waiting before = room.find(ask.name(), ask.holder()).orElse(null);
            if (judged.isHeldBy(ask.holder())) {
                Lock own = granting.again(judged, ask);
                if (own != null) {
                    return new Acquisition.Granted(own);
                }
                lock = again(lock, attempt);
                continue;
            }
            List<Queued> elsewhere = judged.waitingOutside(queue.room());
            boolean isNext = here.isEmpty() || here.getFirst() == before;
            if (judged.isFree() && elsewhere.isEmpty() && isNext) {
                List<Waiting> others =
                        here.stream().filter(waiting -> waiting != before).toList();
                switch (granting.takeOver(judged, ask, granting.newLockId(), queue.with(elsewhere, others))) {
                    case Taking.Taken(LockRecord taken) -> {
                        Lock granted = granting.granted(ask, taken);
                        if (before != null) {
                            turn.granted(before, granted);
                        }
                        return new Acquisition.Granted(granted);
                    }
                    case Taking.Changed(LockRecord changed) -> lock = changed == null ? again(lock, attempt) : changed;
                }
                continue;
            }
            if (before == null && elsewhere.size() + here.size() >= limit) {
                journal.refused(lock, ask.holder());
                return new Entry.QueueFull(view(judged, here), limit);
            }
            leases.opened(ask.lease(), leases.require(ask.lease()));
            Waiting waiting = room.join(ask, wait);
            // One that asks again may hang on another lease now, which the others must know.
            if (!queue.showsSomebody(lock) || before != null) {
                LockRecord shown = show(lock, elsewhere, turn.queue());
                if (shown == null) {
                    lock = again(lock, attempt);
                    continue;
                }
                lock = shown;
            }
            snapshots.keep(lock);
            return new Entry.Queued(
                    places.apply(waiting), view(judged, turn.queue()), position(waiting, elsewhere, turn));
        }
    }

    private LockRecord again(LockRecord lock, int attempt) {
        requests.pause(attempt);
        LockRecord now = granting.read(lock);
        // Pruned between two looks: then it is free, which the next look finds out.
        return now == null ? lock : now;
    }

    private Lock view(Judged judged, List<Waiting> here) {
        Lock lock = judged.view();
        int waiting = judged.waitingOutside(queue.room()).size() + here.size();
        return new Lock(
                lock.name(), lock.token(), lock.status(), lock.grant(), waiting, lock.closedUntil(), lock.seenAt());
    }

    private static int position(Waiting waiting, List<Queued> elsewhere, Turn turn) {
        long before = elsewhere.stream()
                .filter(queued -> queued.ticket() < waiting.ticket())
                .count();
        return Math.toIntExact(before) + turn.queue().indexOf(waiting) + 1;
    }

    /** Null when the record has changed meanwhile. */
    private @Nullable LockRecord show(LockRecord lock, List<Queued> elsewhere, List<Waiting> here) {
        LockRecord shown = lock.with(queue.with(elsewhere, here));
        if (requests.put(shown.item(), Change.unchanged(lock)) instanceof Write.Refused) {
            return null;
        }
        queue.written(shown);
        return shown;
    }

    /** The one look for all who wait here. */
    private void look(Turn turn) {
        LockRecord before = snapshots.of(turn.name());
        LockRecord lock = LockRecord.from(requests.get(LockRecord.key(turn.name())));
        if (lock == null) {
            takeUnseen(turn);
            return;
        }
        if (before == null || before.version() != lock.version()) {
            turn.changed();
        }
        serve(turn, lock);
    }

    /** The record was pruned under those who wait. */
    private void takeUnseen(Turn turn) {
        List<Waiting> here = queue.alive(turn);
        if (here.isEmpty()) {
            return;
        }
        Waiting head = here.getFirst();
        if (granting.take(head.ask(), granting.newLockId()) instanceof Write.Done(Item item)) {
            turn.granted(head, granting.granted(head.ask(), Objects.requireNonNull(LockRecord.from(item))));
            queue.gone(head.ticket());
        }
    }

    /** Takes the lock for the head of the queue if it is free, and keeps the record true about who waits here. */
    void serve(Turn turn, LockRecord first) {
        LockRecord lock = first;
        for (int attempt = 1; lock != null; attempt++) {
            Judged judged = judge.quickly(lock);
            queue.dropWhoWasCancelled(turn, lock);
            List<Waiting> here = queue.alive(turn);
            List<Queued> elsewhere = judged.waitingOutside(queue.room());
            if (judged.isFree() && !here.isEmpty()) {
                lock = takeFor(turn, here, judged, elsewhere);
                if (lock == null) {
                    return;
                }
            } else if (queue.shows(lock, here)) {
                seen(turn, judged, here);
                return;
            } else {
                LockRecord shown = show(lock, elsewhere, here);
                lock = shown == null ? granting.read(lock) : shown;
            }
            if (attempt > 1) {
                requests.pause(attempt);
            }
        }
    }

    /** Null when it is done. */
    private @Nullable LockRecord takeFor(Turn turn, List<Waiting> here, Judged judged, List<Queued> elsewhere) {
        Waiting head = here.getFirst();
        List<Waiting> others = here.subList(1, here.size());
        try {
            return switch (granting.takeOver(judged, head.ask(), granting.newLockId(), queue.with(elsewhere, others))) {
                case Taking.Taken(LockRecord taken) -> {
                    handed(turn, head, taken);
                    yield null;
                }
                case Taking.Changed(LockRecord changed) -> changed;
            };
        } catch (LeaseEnded e) {
            turn.dropped(head, Handover.Reason.LEASE_ENDED);
            return judged.lock();
        }
    }

    void handed(Turn turn, Waiting head, LockRecord taken) {
        queue.written(taken);
        queue.gone(head.ticket());
        turn.granted(head, granting.granted(head.ask(), taken));
    }

    private void seen(Turn turn, Judged judged, List<Waiting> here) {
        if (here.isEmpty()) {
            snapshots.forget(turn.name());
            return;
        }
        snapshots.keep(judged.lock());
        Instant next = judged.isHeld()
                ? judged.expiresAt()
                : Objects.requireNonNull(judged.over()).closedUntil();
        if (next != null) {
            Duration left = Duration.between(clock.earliest(), next).plus(CERTAINLY);
            turn.lookAgainIn(left.isNegative() ? CERTAINLY : left);
        }
    }
}

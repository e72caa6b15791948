package dev.interlock.core.polling;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process who wait for locks of a store that tells nobody anything. However many wait for one lock, one
 * observer looks at it for all of them: at jittered intervals that grow from 100 ms to a second while nothing moves. A
 * neighbour that gives the lock back takes a {@link Turn} in which it may hand the lock to the head of this queue within
 * its own conditional write; then nobody needs to look at all. A store with a watch calls {@link #wake}.
 *
 * <p>Within the process it is first come first served. Between processes it is whoever looks first, except that no
 * process hands a lock on within itself more than {@value #MOST_IN_A_ROW} times in a row while others wait elsewhere.
 */
public final class WaitingRoom {
    static final Duration FIRST_PACE = Duration.ofMillis(100);
    static final Duration LAST_PACE = Duration.ofSeconds(1);
    static final int MOST_IN_A_ROW = 32;

    /** How a store looks at one lock for those who wait here; it takes the lock for the head if it is free. */
    public interface Looker {
        /**
         * Called in turn. Nobody waits any more when the queue is empty.
         *
         * @throws StoreUnavailable if the store cannot answer; waiting goes on
         */
        void look(Turn turn);
    }

    private final Ports ports;
    private final LongSupplier tickets;
    private final Looker looker;
    private final ReentrantLock guard = new ReentrantLock();
    private final Map<LockName, Desk> desks = new HashMap<>();
    private boolean closed;

    /**
     * A room in which nobody waits yet.
     *
     * @param tickets numbers for those who come; each larger than the one before
     */
    public WaitingRoom(Ports ports, LongSupplier tickets, Looker looker) {
        this.ports = ports;
        this.tickets = tickets;
        this.looker = looker;
    }

    /** Takes a place behind those who wait here already. The same holder asking again keeps its place. */
    public Waiting join(Ask ask, Duration wait) {
        guard.lock();
        try {
            if (closed) {
                throw closed();
            }
            long now = ports.ticker().nanos();
            Desk desk = desks.computeIfAbsent(ask.name(), Desk::new);
            Waiting before = of(desk, ask.holder());
            if (before != null) {
                before.again(ask, wait, now);
                return before;
            }
            Waiting waiting = new Waiting(tickets.getAsLong(), ask, wait, now);
            desk.add(waiting);
            lookIn(desk, pace(desk));
            return waiting;
        } finally {
            guard.unlock();
        }
    }

    private static @Nullable Waiting of(Desk desk, Holder holder) {
        return desk.queue().stream()
                .filter(waiting -> waiting.isOf(holder))
                .findFirst()
                .orElse(null);
    }

    /** Who waits here for this lock, first come first served. */
    public List<Waiting> queue(LockName name) {
        guard.lock();
        try {
            Desk desk = desks.get(name);
            return desk == null ? List.of() : desk.queue();
        } finally {
            guard.unlock();
        }
    }

    /** The locks that somebody here waits for. */
    public List<LockName> names() {
        guard.lock();
        try {
            return desks.values().stream()
                    .filter(desk -> !desk.queue().isEmpty())
                    .map(Desk::name)
                    .toList();
        } finally {
            guard.unlock();
        }
    }

    public Optional<Waiting> find(LockName name, Holder holder) {
        return queue(name).stream().filter(waiting -> waiting.isOf(holder)).findFirst();
    }

    /** Does one step at this lock, alone among those of this process. */
    public <T> T turn(LockName name, Function<Turn, T> step) {
        Desk desk = use(name);
        Turn turn = new Turn(desk);
        try {
            desk.turn().lock();
            try {
                dropWhoWaitedTooLong(turn);
                return step.apply(turn);
            } finally {
                desk.turn().unlock();
            }
        } finally {
            leave(desk, turn);
            turn.tell();
        }
    }

    private void dropWhoWaitedTooLong(Turn turn) {
        long now = ports.ticker().nanos();
        for (Waiting waiting : turn.queue()) {
            if (waiting.isOver(now)) {
                turn.dropped(waiting, Handover.Reason.WAITED_TOO_LONG);
            }
        }
    }

    private Desk use(LockName name) {
        guard.lock();
        try {
            Desk desk = desks.computeIfAbsent(name, Desk::new);
            desk.users++;
            return desk;
        } finally {
            guard.unlock();
        }
    }

    private void leave(Desk desk, Turn turn) {
        guard.lock();
        try {
            desk.users--;
            if (desk.queue().isEmpty()) {
                stopLooking(desk);
                if (desk.users == 0) {
                    desks.remove(desk.name(), desk);
                }
                return;
            }
            if (turn.hasChanged()) {
                desk.pace = FIRST_PACE;
            }
            if (turn.hasChanged() || turn.isStandingBack()) {
                // The step has just seen the lock: whoever looked now would see the same.
                stopLooking(desk);
            }
            lookIn(desk, turn.isStandingBack() ? standBack() : sooner(pace(desk), turn.again()));
        } finally {
            guard.unlock();
        }
    }

    /** Longer than anybody elsewhere goes without looking. */
    private Duration standBack() {
        return LAST_PACE.plus(ports.jittered(LAST_PACE));
    }

    private static Duration sooner(Duration pace, @Nullable Duration again) {
        return again == null || again.compareTo(pace) >= 0 ? pace : again;
    }

    /** Anything from half the pace to all of it, so that the observers of several processes drift apart. */
    private Duration pace(Desk desk) {
        Duration half = desk.pace.dividedBy(2);
        return half.plus(ports.jittered(half));
    }

    private static void stopLooking(Desk desk) {
        if (desk.nextLook != null) {
            desk.nextLook.cancel();
            desk.nextLook = null;
        }
    }

    private void lookIn(Desk desk, Duration delay) {
        if (desk.looking) {
            desk.afterThisLook = delay;
        } else if (!closed && desk.nextLook == null) {
            desk.nextLook = ports.timers().after(delay, () -> lookNow(desk));
        }
    }

    /** Something happened to this lock, says a watch. */
    public void wake(LockName name) {
        Desk desk;
        guard.lock();
        try {
            desk = desks.get(name);
            if (desk == null || desk.queue().isEmpty()) {
                return;
            }
            stopLooking(desk);
        } finally {
            guard.unlock();
        }
        lookNow(desk);
    }

    private void lookNow(Desk desk) {
        guard.lock();
        try {
            desk.nextLook = null;
            if (closed) {
                return;
            }
            if (desk.looking) {
                // Whatever this is about may have come too late for the look that is under way.
                desk.lookWanted = true;
                return;
            }
            desk.looking = true;
        } finally {
            guard.unlock();
        }
        ports.tasks().start("interlock-look", () -> look(desk));
    }

    private void look(Desk desk) {
        boolean changed = false;
        try {
            changed = turn(desk.name(), turn -> {
                if (!turn.queue().isEmpty()) {
                    looker.look(turn);
                }
                return turn.hasChanged();
            });
        } catch (StoreUnavailable e) {
            // Looked at again later; waiting is never a failure.
        } finally {
            looked(desk, changed);
        }
    }

    private void looked(Desk desk, boolean changed) {
        boolean again;
        guard.lock();
        try {
            desk.looking = false;
            again = desk.lookWanted && !desk.queue().isEmpty();
            desk.lookWanted = false;
            desk.pace = changed ? FIRST_PACE : shorter(desk.pace.multipliedBy(3).dividedBy(2), LAST_PACE);
            if (!again && !desk.queue().isEmpty()) {
                lookIn(desk, desk.afterThisLook);
            }
        } finally {
            guard.unlock();
        }
        if (again) {
            lookNow(desk);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Gives a place up. The lock that had been handed to it meanwhile, if any, is the caller's to give back.
     */
    public Optional<Lock> leave(Waiting waiting) {
        return turn(waiting.ask().name(), turn -> {
            if (waiting.outcome() == null) {
                turn.dropped(waiting, Handover.Reason.CANCELLED);
            }
            return waiting.outcome() instanceof Acquisition.Granted(Lock lock) ? Optional.of(lock) : Optional.empty();
        });
    }

    /** Nobody here waits any more. */
    public void close() {
        List<Desk> all;
        guard.lock();
        try {
            closed = true;
            all = List.copyOf(desks.values());
            all.forEach(WaitingRoom::stopLooking);
            desks.clear();
        } finally {
            guard.unlock();
        }
        for (Desk desk : all) {
            desk.queue().forEach(waiting -> waiting.handover().completeExceptionally(closed()));
        }
    }

    private static StoreUnavailable closed() {
        return new StoreUnavailable(StoreUnavailable.Kind.BROKEN, "This store has been closed.");
    }
}

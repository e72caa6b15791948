package dev.interlock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who runs, who waits for a slot, and how many more to ask for. While executions last only milliseconds a few are taken
 * in advance, so that a slot need not wait for the store; as soon as one lasts longer nothing is held back any more.
 */
final class Slots {
    /** An execution that lasts longer than this gains nothing from being taken in advance. */
    static final Duration QUICK = Duration.ofMillis(5);

    /** One that was taken in advance waits at least this long, and not twice as long, before it is handed back. */
    static final Duration PATIENCE = Duration.ofMillis(250);

    private static final double MOMENT = Duration.ofMillis(20).toNanos();
    private static final double SLOW = Duration.ofSeconds(1).toNanos();
    private static final double WEIGHT = 1.0 / 8;

    /** What is taken in advance is asked for in so many portions: while the store starts one it can end another. */
    private static final int PORTIONS = 4;

    private final int size;
    private final int prefetch;
    private final ReentrantLock guard = new ReentrantLock();
    private final Deque<Run> waiting = new ArrayDeque<>();
    private int running;
    private int kept;
    private long entered;
    private long left;
    private double recent = SLOW;
    private boolean inLine;

    Slots(int size, int prefetch) {
        this.size = size;
        this.prefetch = prefetch;
    }

    /**
     * How many to ask for now. In advance it is asked for a portion at a time, not for each one that ends. Ends that the
     * store has not taken note of still keep their targets busy, so beyond a few they count like those that run: what
     * were claimed on top of them would be found behind them in line.
     */
    int wanted(int untold) {
        guard.lock();
        try {
            int ahead = ahead();
            int room = size + ahead - running - kept - waiting.size() - Math.max(0, untold - size);
            int portion = inLine ? size + ahead : Math.max(size, ahead / PORTIONS);
            return room < Math.min(portion, ahead / 2) ? 0 : Math.clamp(room, 0, portion);
        } finally {
            guard.unlock();
        }
    }

    /**
     * What an answer of the store tells about the next question. Where others stand in line behind what runs, all is asked for
     * at once: the sooner they are put aside, the sooner an end is followed by the next in its own line.
     */
    void found(int started, int parked) {
        guard.lock();
        try {
            inLine = parked > 0 || (inLine && started == 0);
        } finally {
            guard.unlock();
        }
    }

    /** As many as will have had their turn in a moment, by what the recent ones took. */
    private int ahead() {
        return isQuick() ? (int) Math.min(prefetch, size * MOMENT / Math.max(1, recent)) : 0;
    }

    int size() {
        return size;
    }

    boolean isQuick() {
        guard.lock();
        try {
            return prefetch > 0 && recent < QUICK.toNanos();
        } finally {
            guard.unlock();
        }
    }

    /** Whether anybody runs or waits here. */
    boolean isOccupied() {
        guard.lock();
        try {
            return left < entered;
        } finally {
            guard.unlock();
        }
    }

    /** True when it has a slot and must be run now; otherwise it waits for one. */
    boolean enter(Run run) {
        guard.lock();
        try {
            entered++;
            if (running < size) {
                running++;
                return true;
            }
            waiting.add(run);
            return false;
        } finally {
            guard.unlock();
        }
    }

    /**
     * The slot of one that has ended passes to the next that waits. If nobody does it is free.
     *
     * @param keep then it is kept instead, until the store has been told of the end and has said what is next in line
     */
    @Nullable Run next(long tookNanos, boolean keep) {
        guard.lock();
        try {
            left++;
            recent += (tookNanos - recent) * WEIGHT;
            Run next = waiting.poll();
            if (next == null) {
                running--;
                kept += keep ? 1 : 0;
            }
            return next;
        } finally {
            guard.unlock();
        }
    }

    /** So many that were kept are free now. */
    void vacate(int slots) {
        guard.lock();
        try {
            kept -= slots;
        } finally {
            guard.unlock();
        }
    }

    /** Takes one out of the line; false when it is not there. */
    boolean remove(Run run) {
        guard.lock();
        try {
            boolean removed = waiting.remove(run);
            left += removed ? 1 : 0;
            return removed;
        } finally {
            guard.unlock();
        }
    }

    /** Takes everybody out of the line. */
    List<Run> removeAll() {
        guard.lock();
        try {
            List<Run> all = new ArrayList<>(waiting);
            waiting.clear();
            left += all.size();
            return all;
        } finally {
            guard.unlock();
        }
    }

    /** How many have ever entered: a mark for {@link #slowSince}. */
    long mark() {
        guard.lock();
        try {
            return entered;
        } finally {
            guard.unlock();
        }
    }

    /** Whether fewer have left since than had entered then: then executions are not quick any more. */
    boolean slowSince(long mark) {
        guard.lock();
        try {
            boolean slow = left < mark;
            if (slow) {
                recent = SLOW;
            }
            return slow;
        } finally {
            guard.unlock();
        }
    }
}

package dev.interlock.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent requests travel together. A caller that finds a free lane sends what has gathered, its own request
 * among it; while that is on its way the next batch gathers. No timer, no thread of its own: a lone caller sends at
 * once. What nobody waits for is sent by a task, one for all that gathers.
 */
final class Coalescer<R extends Coalescer.Request> {
    private static final int YIELDS = 4;

    /** One caller's request; the batch fills in the answer before it is done. */
    abstract static class Request {
        private Runnable lead = () -> {};
        private Runnable goOn = () -> {};
        private @Nullable RuntimeException failure;
        private volatile boolean done;

        final void fail(RuntimeException e) {
            failure = e;
        }

        /** Why it was not answered, once it is done. */
        final @Nullable RuntimeException failure() {
            return failure;
        }

        private void finish() {
            done = true;
            goOn.run();
        }
    }

    private final Queue<R> waiting;
    private final AtomicInteger gathered = new AtomicInteger();
    /** The size of recent batches. */
    private volatile int expected = 1;

    private final Semaphore lanes;
    private final int most;
    private final @Nullable RoundTrip trip;
    private final Consumer<List<R>> send;

    /** A task is at it, for what nobody waits for. */
    private final AtomicBoolean attended = new AtomicBoolean();

    Coalescer(int lanes, int most, Consumer<List<R>> send) {
        this(lanes, most, null, send);
    }

    /** @param trip of which this is a stop: whoever has been answered here asks at the other one next */
    Coalescer(int lanes, int most, @Nullable RoundTrip trip, Consumer<List<R>> send) {
        this(new ConcurrentLinkedQueue<>(), lanes, most, trip, send);
    }

    Coalescer(Queue<R> waiting, int lanes, int most, @Nullable RoundTrip trip, Consumer<List<R>> send) {
        this.waiting = waiting;
        this.lanes = new Semaphore(lanes);
        this.most = most;
        this.trip = trip;
        this.send = send;
    }

    /** Returns when the request has been answered. */
    void submit(R mine) {
        Thread caller = Thread.currentThread();
        if (trip != null) {
            trip.came();
        }
        add(mine, () -> LockSupport.unpark(caller), () -> LockSupport.unpark(caller));
        // An interrupt would turn every park into a spin, and break the connection of a batch that a virtual thread
        // sends; it is kept for the caller.
        boolean interrupted = Thread.interrupted();
        while (!((Request) mine).done) {
            if (!sendBatch()) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (trip != null) {
            trip.went();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        RuntimeException failure = mine.failure();
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Returns at once.
     *
     * @param tasks starts whoever sends it, if nobody is at it
     * @param answered called on the thread that has the answer, and keeps those from theirs who were answered together with it
     */
    void submitSoon(R mine, Executor tasks, Runnable answered) {
        add(mine, () -> leadSoon(tasks), answered);
        if (lanes.availablePermits() > 0) {
            leadSoon(tasks);
        }
    }

    private void add(R mine, Runnable lead, Runnable goOn) {
        Request request = mine;
        request.lead = lead;
        request.goOn = goOn;
        waiting.add(mine);
        gathered.incrementAndGet();
    }

    private void leadSoon(Executor tasks) {
        if (attended.compareAndSet(false, true)) {
            boolean started = false;
            try {
                tasks.execute(this::attend);
                started = true;
            } finally {
                if (!started) {
                    attended.set(false);
                }
            }
        }
    }

    /**
     * Sends until nothing is left, or others have all lanes. Whoever came or left a lane while this task counted as being at it
     * has started no other: so it looks once more when it does not any longer.
     */
    private void attend() {
        do {
            try {
                while (!waiting.isEmpty() && sendBatch()) {}
            } finally {
                attended.set(false);
            }
        } while (!waiting.isEmpty() && lanes.availablePermits() > 0 && attended.compareAndSet(false, true));
    }

    /** False when all lanes are taken; then whoever has one wakes the next. */
    private boolean sendBatch() {
        if (!lanes.tryAcquire()) {
            return false;
        }
        List<R> batch;
        try {
            batch = lead();
        } finally {
            lanes.release();
        }
        // First whoever goes on with the lane, then those who were answered.
        wakeNextLeader();
        batch.forEach(Request::finish);
        return true;
    }

    /** Sends one batch; it is empty when another lane has taken everything. */
    private List<R> lead() {
        int share = trip == null ? most : trip.share(most);
        letOthersIn(share);
        List<R> batch = new ArrayList<>();
        for (R next; batch.size() < share && (next = waiting.poll()) != null; ) {
            batch.add(next);
        }
        if (batch.isEmpty()) {
            return batch;
        }
        gathered.addAndGet(-batch.size());
        expected = Math.max(batch.size(), (expected + batch.size()) / 2);
        try {
            send.accept(batch);
        } catch (RuntimeException e) {
            batch.forEach(request -> request.fail(e));
        } catch (Error e) {
            // The others must not take silence for an answer.
            batch.forEach(request -> request.fail(new IllegalStateException("The request could not be sent.", e)));
        }
        return batch;
    }

    /**
     * Callers that were answered together come back together. Whoever is first gives way to the others while they keep
     * coming, or it would travel alone and all others after it. A lone caller gives way to nobody.
     */
    @SuppressWarnings("ThreadPriorityCheck") // correct without it, only slower
    private void letOthersIn(int share) {
        int here = gathered.get();
        for (int inVain = 0; here < Math.min(share, expected) && inVain < YIELDS; ) {
            Thread.yield();
            int now = gathered.get();
            inVain = now > here ? 0 : inVain + 1;
            here = now;
        }
    }

    /** Whoever queued while all lanes were taken may lead now. */
    private void wakeNextLeader() {
        R next = waiting.peek();
        if (next != null) {
            ((Request) next).lead.run();
        }
    }
}

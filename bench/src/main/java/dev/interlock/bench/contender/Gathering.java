package dev.interlock.bench.contender;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Requests that gather while others are under way. Whoever finds the lane free sends what is there, its own among it. */
final class Gathering {
    /** How often the first of a batch gives way to others who come back, before it goes without them. */
    private static final int YIELDS = 4;

    interface Send {
        void together(List<Request> sorted) throws SQLException;
    }

    /** For one name; whoever sends it fills in what it was granted. */
    static final class Request {
        final String name;
        long token;
        private final Thread caller = Thread.currentThread();
        private @Nullable Exception failure;
        private volatile boolean done;

        Request(String name, long token) {
            this.name = name;
            this.token = token;
        }
    }

    private final Queue<Request> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore lane = new Semaphore(1);
    private final int most;
    private final Send send;

    /** @param most so many go together: half of all callers, so that one half asks while the other gives back */
    Gathering(int most, Send send) {
        this.most = most;
        this.send = send;
    }

    /** Returns once it has been answered. */
    void submit(Request mine) {
        waiting.add(mine);
        while (!mine.done) {
            if (lane.tryAcquire()) {
                answer(sendBatch());
            } else {
                LockSupport.park(this);
            }
        }
        if (mine.failure != null) {
            throw new IllegalStateException("The batch with " + mine.name + " failed", mine.failure);
        }
    }

    /** First whoever goes on with the lane, then those who were answered. */
    private void answer(List<Request> sent) {
        lane.release();
        var next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next.caller);
        }
        for (var request : sent) {
            request.done = true;
            LockSupport.unpark(request.caller);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // correct without it, only slower
    private List<Request> sendBatch() {
        var batch = new ArrayList<Request>(most);
        for (var inVain = 0; batch.size() < most && inVain < YIELDS; ) {
            var next = waiting.poll();
            if (next != null) {
                batch.add(next);
            } else if (batch.isEmpty() || most == 1) {
                break;
            } else {
                inVain++;
                Thread.yield();
            }
        }
        if (!batch.isEmpty()) {
            batch.sort(Comparator.comparing(request -> request.name));
            try {
                send.together(batch);
            } catch (SQLException | RuntimeException e) {
                batch.forEach(request -> request.failure = e);
            }
        }
        return batch;
    }
}

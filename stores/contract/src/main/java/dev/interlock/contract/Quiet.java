package dev.interlock.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The threads at work, and the moment when none of them is. */
final class Quiet {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GLANCE = Duration.ofNanos(5_000);

    private final List<Thread> threads = new ArrayList<>();

    synchronized Thread start(String name, Runnable work) {
        Thread thread = Thread.ofPlatform().daemon().name(name).start(work);
        threads.add(thread);
        return thread;
    }

    /**
     * Waits until every thread has ended or waits for a future that is not done. Each wait has a blocker of its own,
     * so a thread with the same blocker on two looks has not run between them; when that holds for all of them
     * there was a moment between the two looks at which none ran.
     */
    void await() {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        for (List<Object> before = blockers(), after; ; before = after) {
            after = blockers();
            if (before != null && before.equals(after)) {
                return;
            }
            if (System.nanoTime() - giveUp > 0) {
                throw new AssertionError("These threads do not come to rest: " + threads);
            }
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }

    /** What each thread waits for; null when one of them runs. */
    private synchronized @Nullable List<Object> blockers() {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        List<Object> blockers = new ArrayList<>();
        for (Thread thread : threads) {
            Object blocker = blocker(thread);
            if (blocker == null) {
                return null;
            }
            blockers.add(blocker);
        }
        return blockers;
    }

    private static @Nullable Object blocker(Thread thread) {
        boolean parked = thread.getState() == Thread.State.WAITING && !thread.isInterrupted();
        return parked
                        && LockSupport.getBlocker(thread) instanceof ForkJoinPool.ManagedBlocker wait
                        && !wait.isReleasable()
                ? wait
                : null;
    }
}

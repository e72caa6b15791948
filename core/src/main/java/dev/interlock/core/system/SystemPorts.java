package dev.interlock.core.system;

import dev.interlock.core.Ports;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ports on the machine's own clocks, one timer thread, virtual threads for work, and threads of their own for those who
 * wait for a store. A virtual thread would hear of its answer from another thread that has heard of it, and then wait for
 * a third.
 */
public final class SystemPorts {
    private SystemPorts() {}

    public static Ports create() {
        return new Ports(new SystemTicker(), new TimerThread(), new Threads(), Chance::next);
    }

    private static final class Threads implements Ports.Tasks {
        @Override
        public void start(String name, Runnable work) {
            Thread.ofVirtual().name(name).start(work);
        }

        @Override
        public void ask(String name, Runnable work) {
            Asking.THREADS.execute(work);
        }

        @Override
        public void listen(String name, Runnable work) {
            Thread.ofPlatform().daemon().name(name).start(work);
        }
    }

    /** As many as can be at it at once on a few cores; whoever comes on top of them can wait a little longer. */
    private static final class Asking {
        private static final int MOST = 16;

        static final Executor THREADS = new ThreadPoolExecutor(
                0,
                MOST,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("interlock-ask-", 1).factory(),
                (work, full) -> Thread.ofVirtual().name("interlock-ask").start(work));
    }

    /**
     * Made when first asked: it takes milliseconds, which many commands can do without. Drawn a few at a time: one by one
     * they took a twentieth of the time of callers who acquire and release without a pause.
     */
    private static final class Chance {
        private static final int DRAWN_AT_ONCE = 64;

        private static final SecureRandom SOURCE = new SecureRandom();
        private static final ByteBuffer DRAWN =
                ByteBuffer.allocate(DRAWN_AT_ONCE * Long.BYTES).limit(0);

        static synchronized long next() {
            if (!DRAWN.hasRemaining()) {
                SOURCE.nextBytes(DRAWN.array());
                DRAWN.clear();
            }
            return DRAWN.getLong();
        }
    }

    private static final class TimerThread implements Ports.Timers {
        private final ScheduledThreadPoolExecutor executor;

        TimerThread() {
            executor = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("interlock-timers").factory());
            executor.setRemoveOnCancelPolicy(true);
        }

        @Override
        public Ports.Timer after(Duration delay, Runnable task) {
            var scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        }
    }
}

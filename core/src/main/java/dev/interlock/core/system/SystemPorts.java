package dev.interlock.core.system;

import dev.interlock.core.Ports;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ports on the machine's own clocks, one timer thread, virtual threads for work, and one for each who listens. */
public final class SystemPorts {
    private SystemPorts() {}

    public static Ports create() {
        return new Ports(new SystemTicker(), new TimerThread(), new Threads(), () -> Chance.SOURCE.nextLong());
    }

    private static final class Threads implements Ports.Tasks {
        @Override
        public void start(String name, Runnable work) {
            Thread.ofVirtual().name(name).start(work);
        }

        /** A virtual thread would hear of news from another thread that has heard of them, and then wait for a third. */
        @Override
        public void listen(String name, Runnable work) {
            Thread.ofPlatform().daemon().name(name).start(work);
        }
    }

    /** Made when first asked: it takes milliseconds, which many commands can do without. */
    private static final class Chance {
        static final SecureRandom SOURCE = new SecureRandom();
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

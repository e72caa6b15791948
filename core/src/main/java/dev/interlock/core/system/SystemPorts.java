package dev.interlock.core.system;

import dev.interlock.core.Ports;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Ports on the machine's own clocks, one timer thread, and virtual threads for work. */
public final class SystemPorts {
    private SystemPorts() {}

    public static Ports create() {
        return new Ports(new SystemTicker(), new TimerThread(), SystemPorts::start, () -> Chance.SOURCE.nextLong());
    }

    private static void start(String name, Runnable work) {
        Thread.ofVirtual().name(name).start(work);
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

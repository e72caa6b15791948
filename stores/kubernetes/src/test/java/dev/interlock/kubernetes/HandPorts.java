package dev.interlock.kubernetes;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ports of a process in the company of a real server: time passes as it does, and a test can let more of it pass at
 * once. What that makes due happens at once, too.
 */
final class HandPorts {
    private static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("hand-ports").factory());

    private final SplittableRandom random = new SplittableRandom(4);
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::due).thenComparingLong(Alarm::number));
    private final List<Throwable> crashes = new CopyOnWriteArrayList<>();
    private long skipped;
    private long number;

    private record Alarm(long due, long number, Runnable task) {}

    Ports ports() {
        return new Ports(this::nanos, this::after, this::start, this::nextLong);
    }

    private synchronized long nanos() {
        return System.nanoTime() + skipped;
    }

    void skip(Duration duration) {
        synchronized (this) {
            skipped += duration.toNanos();
        }
        ring();
    }

    /** What background work died of. */
    List<Throwable> crashes() {
        return List.copyOf(crashes);
    }

    private Ports.Timer after(Duration delay, Runnable task) {
        Alarm alarm;
        synchronized (this) {
            alarm = new Alarm(nanos() + delay.toNanos(), number++, task);
            alarms.add(alarm);
        }
        var scheduled = TIMER.schedule(this::ring, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> {
            synchronized (this) {
                alarms.remove(alarm);
            }
            scheduled.cancel(false);
        };
    }

    private void ring() {
        for (Alarm due = next(); due != null; due = next()) {
            due.task().run();
        }
    }

    private synchronized Alarm next() {
        Alarm first = alarms.peek();
        return first == null || first.due() > nanos() ? null : alarms.poll();
    }

    private void start(String name, Runnable work) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                crashes.add(e);
            }
        });
    }

    private synchronized long nextLong() {
        return random.nextLong();
    }
}

package dev.interlock.bench.jobs;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds each job for the same time and remembers its run; a negative time is for ever. */
final class Recorder implements JvmContender.Handler {
    private final Duration hold;
    private final Queue<Ran> ended = new ConcurrentLinkedQueue<>();
    private final Queue<Ran> hanging = new ConcurrentLinkedQueue<>();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    Recorder(Duration hold) {
        this.hold = hold;
    }

    @Override
    public void handle(Job job) throws InterruptedException {
        var start = System.nanoTime();
        if (hold.isNegative()) {
            hanging.add(new Ran(job.target(), job.number(), start, 0));
            started.incrementAndGet();
            new CountDownLatch(1).await();
        }
        started.incrementAndGet();
        if (hold.isPositive()) {
            Thread.sleep(hold);
        }
        ended.add(new Ran(job.target(), job.number(), start, System.nanoTime()));
        done.incrementAndGet();
    }

    String counts() {
        return started.get() + " " + done.get();
    }

    /** A line for each run, and, when it is printed as a line itself, an empty one. */
    String lines() {
        var lines = new StringBuilder();
        ended.forEach(ran -> lines.append(ran.line()).append('\n'));
        hanging.forEach(ran -> lines.append(ran.line()).append('\n'));
        return lines.toString();
    }
}

package dev.interlock.contract;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Ports under a test's own time. The clock stands still until the test moves it; what is due then happens in order, and
 * every move ends when all the threads it set going have come to rest. Chance comes from a seed.
 */
public final class ManualPorts {
    private static final int BUSY = 1000;

    private final SplittableRandom random;
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::due).thenComparingLong(Alarm::number));
    private final Quiet quiet = new Quiet();
    private final List<Throwable> crashes = new CopyOnWriteArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private long alarmNumber;
    private int rungInARow;

    public ManualPorts(long seed) {
        this.random = new SplittableRandom(seed);
    }

    private record Alarm(long due, long number, Runnable task) {}

    public Ports ports() {
        return new Ports(now::get, this::after, this::start, this::nextLong);
    }

    /** The time that has passed since the beginning. */
    public Duration elapsed() {
        return Duration.ofNanos(now.get());
    }

    /** Lets time pass, and everything happen that is due meanwhile. */
    public void advance(Duration duration) {
        long target = now.get() + duration.toNanos();
        quiet.await();
        for (Alarm alarm = nextUntil(target); alarm != null; alarm = nextUntil(target)) {
            ring(alarm);
        }
        now.set(target);
    }

    /** Lets time pass while nothing runs, as if the process had been stopped. What is overdue happens afterwards. */
    public void freeze(Duration duration) {
        quiet.await();
        now.addAndGet(duration.toNanos());
    }

    /** Does something that may wait, letting time pass only as far as it takes to come back. */
    public <T> T call(Callable<T> work) {
        Call<T> call = begin(work);
        while (!call.isDone()) {
            Alarm next = nextUntil(Long.MAX_VALUE);
            if (next == null) {
                throw new AssertionError("This call would wait for ever.");
            }
            ring(next);
        }
        return call.result();
    }

    /** Begins something that waits, and comes back when it does. */
    public <T> Call<T> begin(Callable<T> work) {
        CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
        Thread thread = quiet.start("call", () -> {
            try {
                outcome.complete(new Outcome<>(work.call(), null));
            } catch (Throwable e) {
                outcome.complete(new Outcome<>(null, e));
            }
        });
        quiet.await();
        return new Call<>(thread, outcome);
    }

    private record Outcome<T>(@Nullable T value, @Nullable Throwable failure) {}

    /** What background work died of. */
    public List<Throwable> crashes() {
        return List.copyOf(crashes);
    }

    private void ring(Alarm alarm) {
        rungInARow = alarm.due() > now.get() ? 0 : rungInARow + 1;
        if (rungInARow > BUSY) {
            throw new AssertionError("Something is busy without letting time pass: " + alarm);
        }
        now.accumulateAndGet(alarm.due(), Math::max);
        alarm.task().run();
        quiet.await();
    }

    private synchronized @Nullable Alarm nextUntil(long target) {
        Alarm next = alarms.peek();
        return next == null || next.due() > target ? null : alarms.poll();
    }

    private synchronized Ports.Timer after(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(now.get() + delay.toNanos(), alarmNumber++, task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    private void start(String name, Runnable work) {
        quiet.start(name, () -> {
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

    /** Something that is under way in a thread of its own. */
    public final class Call<T> {
        private final Thread thread;
        private final CompletableFuture<Outcome<T>> outcome;

        private Call(Thread thread, CompletableFuture<Outcome<T>> outcome) {
            this.thread = thread;
            this.outcome = outcome;
        }

        public boolean isDone() {
            return outcome.isDone();
        }

        public void interrupt() {
            thread.interrupt();
            quiet.await();
        }

        /** What it came to; a checked exception comes as the cause of a {@link CompletionException}. */
        public T result() {
            if (!outcome.isDone()) {
                throw new AssertionError("This call is still under way.");
            }
            return switch (outcome.join().failure()) {
                case null -> Objects.requireNonNull(outcome.join().value());
                case RuntimeException failure -> throw failure;
                case Throwable failure -> throw new CompletionException(failure);
            };
        }
    }
}

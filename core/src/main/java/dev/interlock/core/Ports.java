package dev.interlock.core;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The only way in which core meets time, threads and chance, so that the same code runs under a simulated clock and
 * scheduler.
 */
public record Ports(Ticker ticker, Timers timers, Tasks tasks, Entropy entropy) {
    /** A clock that only moves forward, at the pace of real time, also while the machine sleeps. */
    public interface Ticker {
        long nanos();
    }

    /** Calls later, once. The task must be short; long work belongs into {@link Tasks}. */
    public interface Timers {
        Timer after(Duration delay, Runnable task);
    }

    public interface Timer {
        void cancel();
    }

    /** Starts work beside the caller's. */
    public interface Tasks {
        void start(String name, Runnable work);

        /** Starts work that asks a store, perhaps many times, and wants each answer without delay. */
        default void ask(String name, Runnable work) {
            start(name, work);
        }

        /** Starts work that waits for news all its life, and wants each piece without delay. */
        default void listen(String name, Runnable work) {
            start(name, work);
        }
    }

    public interface Entropy {
        long nextLong();
    }

    public UUID randomId() {
        long high = (entropy.nextLong() & ~0xF000L) | 0x4000L;
        long low = (entropy.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** Full jitter: anything from nothing to the whole. */
    public Duration jittered(Duration whole) {
        long nanos = whole.toNanos();
        return nanos <= 0 ? Duration.ZERO : Duration.ofNanos(Math.floorMod(entropy.nextLong(), nanos + 1));
    }

    /** Waits for the future, at most that long; tells whether it is done. */
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        if (future.isDone()) {
            return true;
        }
        CompletableFuture<Boolean> done = future.handle((value, failure) -> true);
        Timer timer = timers.after(atMost, () -> done.complete(false));
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw new AssertionError("this future never fails", e);
        } finally {
            timer.cancel();
        }
    }

    public void pause(Duration duration) throws InterruptedException {
        await(new CompletableFuture<Void>(), duration);
    }
}

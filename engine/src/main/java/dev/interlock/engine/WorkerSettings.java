package dev.interlock.engine;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param slots how many executions it runs at once
 * @param prefetch how many more it may take in advance while executions last only milliseconds
 * @param poll how often it looks without having been told to
 * @param drainGrace how long running work is given to end when the worker is to leave
 * @param stopGrace after how long work that was told to stop is told again, and reported
 * @param version what it calls itself in the list of workers
 */
public record WorkerSettings(
        int slots, int prefetch, Duration poll, Duration drainGrace, Duration stopGrace, String version) {
    public static final WorkerSettings DEFAULT = new WorkerSettings(
            16, 496, Duration.ofSeconds(6), Duration.ofSeconds(30), Duration.ofSeconds(10), "unknown");

    private static final int MOST = 10_000;

    public WorkerSettings {
        if (slots < 1 || slots > MOST || prefetch < 0 || prefetch > MOST) {
            throw new IllegalArgumentException("A worker has 1 to 10000 slots and takes at most 10000 in advance, not "
                    + slots + " and " + prefetch + ".");
        }
        if (poll.toMillis() < 100 || drainGrace.isNegative() || !stopGrace.isPositive()) {
            throw new IllegalArgumentException("A worker looks at most ten times a second, and its graces are times.");
        }
    }

    public WorkerSettings withSlots(int number) {
        return new WorkerSettings(number, prefetch, poll, drainGrace, stopGrace, version);
    }

    public WorkerSettings withPrefetch(int number) {
        return new WorkerSettings(slots, number, poll, drainGrace, stopGrace, version);
    }

    public WorkerSettings withPoll(Duration interval) {
        return new WorkerSettings(slots, prefetch, interval, drainGrace, stopGrace, version);
    }

    public WorkerSettings withDrainGrace(Duration grace) {
        return new WorkerSettings(slots, prefetch, poll, grace, stopGrace, version);
    }

    public WorkerSettings withVersion(String text) {
        return new WorkerSettings(slots, prefetch, poll, drainGrace, stopGrace, text);
    }
}

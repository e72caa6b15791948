package dev.interlock.postgres;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers who ask at one stop and give back at another, and how many of them go together. If all did, each stop would lie
 * idle while they are at the other; the fewer do, the more batches there are to pay for.
 */
final class RoundTrip {
    /** So few are not divided: a batch costs something, however small it is. */
    private static final int FEW = 8;

    private final AtomicInteger callers = new AtomicInteger();

    /** False when those who give back do not wait for the answer, and so are at one stop only. */
    private volatile boolean round = true;

    /** Somebody gives back. */
    void givesBack(boolean waits) {
        if (round != waits) {
            round = waits;
        }
    }

    void came() {
        callers.incrementAndGet();
    }

    void went() {
        callers.decrementAndGet();
    }

    /** How many go together, of at most so many: half of those who are under way, or all. */
    int share(int most) {
        return round ? Math.clamp((callers.get() + 1) / 2, FEW, most) : most;
    }
}

package dev.interlock.embedded;

import java.io.IOException;
import java.time.Duration;

/** Waiting with an end to it, which is counted from the first pause; the only place that sleeps. */
final class Wait {
    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(250).toNanos();

    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    private final Duration patience;
    private long deadline;
    private long pause;

    private Wait(Duration patience) {
        this.patience = patience;
    }

    static Wait atMost(Duration patience) {
        return new Wait(patience);
    }

    Duration patience() {
        return patience;
    }

    /** Whether it came true in time. */
    boolean until(Condition condition) throws IOException {
        while (!condition.holds()) {
            if (!pause()) {
                return false;
            }
        }
        return true;
    }

    /**
     * A pause of about a fifth of the time waited so far, for two hundred may wait at once; false, and no pause, when
     * patience is at its end.
     */
    boolean pause() {
        long now = System.nanoTime();
        if (pause == 0) {
            deadline = now + patience.toNanos();
            pause = SHORTEST_PAUSE;
        }
        if (now - deadline >= 0) {
            return false;
        }
        try {
            Thread.sleep(Duration.ofNanos(pause));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedUnavailable("Interrupted while waiting for the embedded store.", e);
        }
        pause = Math.min(LONGEST_PAUSE, pause + pause / 4);
        return true;
    }
}

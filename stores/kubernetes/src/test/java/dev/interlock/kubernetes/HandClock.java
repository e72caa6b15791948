package dev.interlock.kubernetes;

import java.time.Duration;
import java.time.Instant;

/** A server's clock that a test moves, known exactly, shared by all processes at that server. */
final class HandClock implements ServerClock {
    private static final Duration STEADY = Duration.ofDays(100_000);

    private Instant now = Instant.parse("2026-11-16T12:00:00Z");

    @Override
    public void heard(Instant date, long sentAt, long heardAt) {
        // The server's own clock cannot be moved; this one stands for it.
    }

    @Override
    public synchronized Reading now() {
        return new Reading(now, now, STEADY);
    }

    synchronized void move(Duration elapsed) {
        now = now.plus(elapsed);
    }
}

package dev.interlock.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** The store's clock, moved by hand. */
final class HandClock implements Supplier<Instant> {
    private volatile Instant now = Instant.parse("2026-03-29T00:59:30Z");

    @Override
    public Instant get() {
        return now;
    }

    void move(Duration elapsed) {
        now = now.plus(elapsed);
    }
}

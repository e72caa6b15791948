package dev.interlock.engine.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class ReadsTheClock {
    private ReadsTheClock() {}

    static Object planted() {
        return java.time.Instant.now();
    }
}

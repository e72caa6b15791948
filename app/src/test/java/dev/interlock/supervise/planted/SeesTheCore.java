package dev.interlock.supervise.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class SeesTheCore {
    private SeesTheCore() {}

    static Object planted() {
        return dev.interlock.core.Locks.class;
    }
}

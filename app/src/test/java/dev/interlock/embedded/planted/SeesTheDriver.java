package dev.interlock.embedded.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class SeesTheDriver {
    private SeesTheDriver() {}

    static Object planted() {
        return org.postgresql.Driver.class;
    }
}

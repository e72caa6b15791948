package dev.interlock.cli.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class ReadsTheEnvironment {
    private ReadsTheEnvironment() {}

    static Object planted() {
        return System.getenv();
    }
}

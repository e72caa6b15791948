package dev.interlock.declaration.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class SeesAStore {
    private SeesAStore() {}

    static Object planted() {
        return dev.interlock.postgres.PostgresLockStore.class;
    }
}

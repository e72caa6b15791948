package dev.interlock.cli.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class NamesAStore {
    private NamesAStore() {}

    static Object planted() {
        return dev.interlock.postgres.PostgresLockStore.class;
    }
}

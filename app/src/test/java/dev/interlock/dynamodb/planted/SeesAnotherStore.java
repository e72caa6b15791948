package dev.interlock.dynamodb.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class SeesAnotherStore {
    private SeesAnotherStore() {}

    static Object planted() {
        return dev.interlock.memory.MemoryLockStore.class;
    }
}

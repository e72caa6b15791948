package dev.interlock.sqs.planted;

/** Breaks a rule on purpose, for {@code RoomsTest} to catch. */
public final class SeesAStore {
    private SeesAStore() {}

    static Object planted() {
        return dev.interlock.memory.MemoryLockStore.class;
    }
}

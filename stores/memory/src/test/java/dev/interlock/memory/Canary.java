package dev.interlock.memory;

import dev.interlock.core.LockStore;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A store that is broken in one way, and the rule of the contract that must notice.
 *
 * @param flaw what is wrong with it
 * @param caughtBy the name of the rule
 * @param memory what its processes share
 * @param view what stands between a process and that memory
 */
record Canary(String flaw, String caughtBy, Function<Supplier<Instant>, Memory> memory, UnaryOperator<LockStore> view) {
    static Canary inMemory(String flaw, String caughtBy, Function<Supplier<Instant>, Memory> memory) {
        return new Canary(flaw, caughtBy, memory, store -> store);
    }

    static Canary inView(String flaw, String caughtBy, UnaryOperator<LockStore> view) {
        return new Canary(flaw, caughtBy, Memory::new, view);
    }

    /** Not broken at all, for the sake of comparison. */
    Canary healthy() {
        return new Canary("none", caughtBy, Memory::new, store -> store);
    }

    @Override
    public String toString() {
        return flaw + " (caught by " + caughtBy + ")";
    }
}

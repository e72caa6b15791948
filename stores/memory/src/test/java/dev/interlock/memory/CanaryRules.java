package dev.interlock.memory;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.core.LockStore;
import java.time.Duration;

/** The contract as a canary meets it. Run by {@link CanaryTest} alone, which says whose turn it is. */
class CanaryRules extends LockStoreContract {
    static volatile Canary canary;

    private final HandClock clock = new HandClock();
    private final Memory memory = canary.memory().apply(clock);

    @Override
    protected LockStore store() {
        return canary.view().apply(new MemoryLockStore(memory));
    }

    @Override
    protected LockStore another() {
        return store();
    }

    @Override
    public void age(Duration elapsed) {
        clock.move(elapsed);
        memory.settle();
    }
}

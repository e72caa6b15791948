package dev.interlock.memory;

import dev.interlock.contract.LockStoreContract;
import dev.interlock.core.LockStore;
import java.time.Duration;

class MemoryLockStoreTest extends LockStoreContract {
    private final HandClock clock = new HandClock();
    private final Memory memory = new Memory(clock);

    @Override
    protected LockStore store() {
        return new MemoryLockStore(memory);
    }

    @Override
    protected LockStore another() {
        return new MemoryLockStore(memory);
    }

    @Override
    public void age(Duration elapsed) {
        clock.move(elapsed);
        memory.settle();
    }
}

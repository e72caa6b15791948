package dev.interlock.core;

import java.util.List;

/** Several locks held together, in canonical order. Closing gives them back in the reverse order. */
public record HeldSet(List<HeldLock> locks) implements AutoCloseable {
    public HeldSet {
        locks = List.copyOf(locks);
    }

    public boolean isHeld() {
        return locks.stream().allMatch(HeldLock::isHeld);
    }

    @Override
    public void close() {
        locks.reversed().forEach(HeldLock::close);
    }
}

package dev.interlock.memory;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.Locks;
import dev.interlock.core.Loss;
import dev.interlock.core.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** One process with its locks, a bad line to the store, and somebody else at the same store; all under one clock. */
final class World {
    static final Instant START = Instant.parse("2026-11-16T14:00:00Z");
    static final Duration LEASE = Settings.DEFAULT.lease();

    private static final Duration POLL = Duration.ofMillis(250);

    final ManualPorts time = new ManualPorts(42);
    final Memory memory = new Memory(() -> START.plus(time.elapsed()));
    final Flaky store = new Flaky(new MemoryLockStore(memory));
    final LockStore elsewhere = new MemoryLockStore(memory);
    final Locks locks = process("alice");

    World() {
        poll();
    }

    /** As a store does that looks now and then what is due. */
    private void poll() {
        memory.settle();
        time.ports().timers().after(POLL, this::poll);
    }

    Locks process(String name) {
        return process(name, Settings.DEFAULT);
    }

    Locks process(String name, Settings settings) {
        return new Locks(store, new Identity(name + "-host:1:abc", name + "@example.com"), settings, time.ports());
    }

    /** A request by somebody else, on a lease of its own that nobody renews. */
    static Ask stranger(String name, Duration lease) {
        UUID id = UUID.randomUUID();
        return new Ask(
                LockName.of(name),
                new Holder("exec-" + id, 1, "elsewhere:2:def", "stranger@example.com"),
                new Lease(id, "elsewhere:2:def", "stranger@example.com", lease));
    }

    Lock find(String name) {
        return elsewhere.find(LockName.of(name)).orElseThrow();
    }

    LockRecord record(String name) {
        return memory.lock(LockName.of(name)).orElseThrow();
    }

    /** Takes a lease for dead, whatever the clock says. */
    void expire(LeaseRecord lease) {
        memory.step(now -> {
            memory.end(lease, Loss.Cause.EXPIRED, now);
            return now;
        });
    }

    boolean isFree(String name) {
        return elsewhere.find(LockName.of(name)).filter(Lock::isHeld).isEmpty()
                && elsewhere.waiters(LockName.of(name)).isEmpty();
    }

    void advance(Duration duration) {
        time.advance(duration);
    }
}

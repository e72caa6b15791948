package dev.interlock.dynamodb;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.UUID;

/** One table, and two processes at it whose traffic is watched. */
final class Scene {
    static final LockName NAME = LockName.of("prod/db");
    static final Duration LEASE = Duration.ofSeconds(30);

    final TestTime time = new TestTime();
    final Traffic traffic = new Traffic();
    final String table = LocalServer.shared().table();
    final DynamoLockStore here = DynamoLockStore.open(LocalServer.shared().client(time, traffic), table, time.ports());
    final DynamoLockStore there = DynamoLockStore.open(LocalServer.shared().client(time), table, time.ports());

    Scene() {
        traffic.drain();
    }

    static Lease lease(String owner) {
        return lease(owner, LEASE);
    }

    static Lease lease(String owner, Duration duration) {
        return new Lease(UUID.randomUUID(), owner, "alice", duration);
    }

    static Ask ask(LockName name, Lease lease, String execution) {
        return new Ask(name, new Holder(execution, 1, lease.owner(), lease.user()), lease);
    }

    static Lock granted(Object answer) {
        if (answer instanceof Acquisition.Granted(Lock lock)) {
            return lock;
        }
        throw new AssertionError("not granted but " + answer);
    }
}

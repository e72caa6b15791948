package dev.interlock.core.admission;

import static dev.interlock.core.admission.Past.at;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Maintenance;
import java.time.Instant;
import java.util.UUID;

/** The lock of the target in each of its conditions, seen at noon. */
final class Locks {
    private Locks() {}

    static Lock heldBy(String execution, int attempt) {
        return lock(Lock.Status.ACTIVE, execution, attempt, null, 0, null);
    }

    static Lock releasing(String execution) {
        return lock(Lock.Status.RELEASING, execution, 1, null, 0, null);
    }

    static Lock hold() {
        return lock(Lock.Status.ACTIVE, "hold-1", 1, new Maintenance("new disks", "OPS-7"), 0, null);
    }

    static Lock pastHold() {
        return lock(Lock.Status.RELEASED, "hold-1", 1, new Maintenance("new disks", "OPS-7"), 0, null);
    }

    static Lock free(int waiting) {
        return lock(Lock.Status.EXPIRED, "exec-0", 1, null, waiting, null);
    }

    static Lock closed(Instant until) {
        return lock(Lock.Status.EXPIRED, "exec-0", 1, null, 0, until);
    }

    private static Lock lock(
            Lock.Status status, String execution, int attempt, Maintenance maintenance, int waiting, Instant closed) {
        Holder holder = new Holder(execution, attempt, "ci-7:4711:f00", "carol");
        Lock.Grant grant = new Lock.Grant(holder, new UUID(0, 1), at(-60), at(-60), at(1800), maintenance, null);
        return new Lock(LockName.of("prod/c1"), 42, status, grant, waiting, closed, at(0));
    }
}

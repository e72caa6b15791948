package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.UUID;

/** Somebody who asks for locks: a piece of work, and the lease of its process. */
record Asker(Holder holder, Lease lease) {
    static Asker named(String name, Duration lease) {
        String owner = name + "-host:4711:" + UUID.randomUUID();
        String user = name + "@example.com";
        return new Asker(new Holder("exec-" + name, 1, owner, user), new Lease(UUID.randomUUID(), owner, user, lease));
    }

    /** Another piece of work in the same process, on the same lease. */
    Asker sibling(String execution) {
        return new Asker(new Holder(execution, 1, holder.owner(), holder.user()), lease);
    }

    Ask asks(LockName name) {
        return new Ask(name, holder, lease);
    }

    static Lock granted(Object answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).lock();
    }

    static Entry.Queued queued(Entry answer) {
        assertThat(answer).isInstanceOf(Entry.Queued.class);
        return (Entry.Queued) answer;
    }
}

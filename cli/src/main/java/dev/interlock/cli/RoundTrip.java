package dev.interlock.cli;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The quickest of a few rounds of acquire and release.
 *
 * @param ahead how far the store's clock is ahead of this machine's, to the accuracy of half a round
 */
record RoundTrip(Duration took, Duration ahead) {
    private static final int ROUNDS = 5;

    /** Takes a lock that nobody else asks for; null when somebody does, most likely another doctor. */
    static @Nullable RoundTrip measure(LockStore store, Session session) {
        Lease lease = new Lease(
                session.ports().randomId(),
                session.identity().owner(),
                session.identity().user(),
                Duration.ofSeconds(30));
        Holder holder = new Holder("doctor", 1, lease.owner(), lease.user());
        Ask ask = new Ask(LockName.of("interlock/doctor/" + holder.host()), holder, lease);
        RoundTrip best = null;
        for (int i = 0; i < ROUNDS; i++) {
            RoundTrip next = round(store, ask, session);
            if (next == null) {
                return null;
            }
            best = best == null || next.took.compareTo(best.took) < 0 ? next : best;
        }
        store.end(lease);
        return best;
    }

    private static @Nullable RoundTrip round(LockStore store, Ask ask, Session session) {
        Instant asked = session.now();
        long start = session.ports().ticker().nanos();
        if (store.acquire(ask) instanceof Acquisition.Granted(Lock lock)) {
            Duration granted = Duration.ofNanos(session.ports().ticker().nanos() - start);
            store.release(lock);
            Duration released = Duration.ofNanos(session.ports().ticker().nanos() - start);
            return new RoundTrip(released, Duration.between(asked.plus(granted.dividedBy(2)), lock.seenAt()));
        }
        return null;
    }
}

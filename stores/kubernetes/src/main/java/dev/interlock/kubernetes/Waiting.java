package dev.interlock.kubernetes;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** A waiter in the queue of one lock, as it is kept in the Lease's annotation; alive while its lease is renewed. */
record Waiting(
        long ticket,
        Holder holder,
        String identity,
        UUID lease,
        Duration duration,
        Terms terms,
        Instant since,
        Instant until,
        Instant renewedAt,
        Instant leaseEnd) {
    Waiting {
        Objects.requireNonNull(holder);
        Objects.requireNonNull(identity);
        Objects.requireNonNull(lease);
        Objects.requireNonNull(duration);
        Objects.requireNonNull(terms);
        Objects.requireNonNull(since);
        Objects.requireNonNull(until);
        Objects.requireNonNull(renewedAt);
        Objects.requireNonNull(leaseEnd);
    }

    static Waiting of(long ticket, Ask ask, String identity, Instant since, Instant until, LeaseTimes times) {
        Lease lease = ask.lease();
        return new Waiting(
                ticket,
                ask.holder(),
                identity,
                lease.id(),
                lease.duration(),
                ask.terms(),
                since,
                until,
                times.renewedAt(),
                times.expiresAt());
    }

    Waiting renewed(LeaseTimes times) {
        Instant end = leaseEnd.isAfter(times.expiresAt()) ? leaseEnd : times.expiresAt();
        return new Waiting(ticket, holder, identity, lease, duration, terms, since, until, times.renewedAt(), end);
    }

    LeaseTimes times() {
        return new LeaseTimes(renewedAt, leaseEnd);
    }

    Ask ask(LockName name) {
        return new Ask(name, holder, new Lease(lease, holder.owner(), holder.user(), duration), terms);
    }
}

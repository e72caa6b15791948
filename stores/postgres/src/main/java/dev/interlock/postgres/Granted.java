package dev.interlock.postgres;

import dev.interlock.core.Ask;
import dev.interlock.core.Lock;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a grant adds to what the asker knows.
 *
 * @param endsAt when it ends whatever is renewed; null where only the lease counts
 * @param waiting how many wait behind it
 */
record Granted(
        long token,
        UUID lease,
        Instant acquiredAt,
        @Nullable Instant endsAt,
        int waiting) {
    Lock lock(Ask ask, Leases leases) {
        Leases.Times times = leases.times(lease);
        Instant renewedAt = times == null ? acquiredAt : times.renewedAt();
        Instant leaseEnd = times == null ? acquiredAt.plus(ask.lease().duration()) : times.expiresAt();
        Instant expiresAt = endsAt != null && endsAt.isBefore(leaseEnd) ? endsAt : leaseEnd;
        Lock.Grant grant = new Lock.Grant(
                ask.holder(),
                lease,
                acquiredAt,
                renewedAt,
                expiresAt,
                ask.terms().maintenance(),
                null);
        Instant seenAt = renewedAt.isAfter(acquiredAt) ? renewedAt : acquiredAt;
        return new Lock(ask.name(), token, Lock.Status.ACTIVE, grant, waiting, null, seenAt);
    }
}

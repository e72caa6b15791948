package dev.interlock.memory;

import dev.interlock.core.Lease;
import dev.interlock.core.LeaseRenewal.Taken;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease as the store keeps it. Once ended it stays so, whatever the clock does later. */
final class LeaseRecord {
    private final Lease lease;
    private final List<Taken> taken = new ArrayList<>();
    private Instant renewedAt;
    private Instant expiresAt;
    private @Nullable Loss ended;

    LeaseRecord(Lease lease, Instant now) {
        this.lease = lease;
        this.renewedAt = now;
        this.expiresAt = now.plus(lease.duration());
    }

    Lease lease() {
        return lease;
    }

    Instant renewedAt() {
        return renewedAt;
    }

    Instant expiresAt() {
        return expiresAt;
    }

    @Nullable Loss ended() {
        return ended;
    }

    void end(Loss why) {
        ended = why;
        taken.clear();
    }

    void renew(Instant now, Instant until) {
        renewedAt = now;
        expiresAt = until;
    }

    /** Told with every renewal until the holder has answered, because the answer that carries it may be lost. */
    void tell(Taken notice) {
        acknowledge(notice.name(), notice.token());
        taken.add(notice);
    }

    void acknowledge(LockName name, long token) {
        taken.removeIf(notice -> notice.token() == token && notice.name().equals(name));
    }

    List<Taken> taken() {
        return List.copyOf(taken);
    }
}

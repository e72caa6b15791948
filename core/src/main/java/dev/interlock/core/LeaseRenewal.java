package dev.interlock.core;

import java.time.Instant;
import java.util.List;

/** The answer to the renewal of a lease, which renews everything that hangs on it. */
public sealed interface LeaseRenewal {
    /** Alive until then, with what has been taken from it meanwhile. */
    record Renewed(Lease lease, Instant expiresAt, List<Taken> taken) implements LeaseRenewal {
        public Renewed {
            taken = List.copyOf(taken);
        }
    }

    /** The lease has ended, and with it all that hung on it. */
    record Ended(Lease lease, Loss why) implements LeaseRenewal {}

    /** One grant that must stop although its lease is alive. */
    record Taken(LockName name, long token, Loss why) {}
}

package dev.interlock.kubernetes;

import java.time.Duration;
import java.time.Instant;

/** When a lease was renewed last and when it ends without another renewal. All its locks carry the same. */
record LeaseTimes(Instant renewedAt, Instant expiresAt) {
    static LeaseTimes from(Instant now, Duration duration) {
        return new LeaseTimes(now, now.plus(duration));
    }
}

package dev.interlock.memory;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One grant of one lock, from its beginning to its end. */
final class Tenure {
    private final long token;
    private final Holder holder;
    private final Terms terms;
    private final Instant acquiredAt;
    private LeaseRecord lease;

    /** The end that no renewal moves: the maximum hold, or what a forced holder is given to stop. */
    private @Nullable Instant limit;

    private Lock.@Nullable Forced forced;
    private Past.@Nullable Event ending;
    private @Nullable Instant endedAt;
    private Lock.@Nullable Grant lastGrant;

    Tenure(long token, Ask ask, LeaseRecord lease, Instant now) {
        this.token = token;
        this.holder = ask.holder();
        this.terms = ask.terms();
        this.acquiredAt = now;
        this.lease = lease;
        Duration maxHold = terms.maxHold();
        this.limit = maxHold == null ? null : now.plus(maxHold);
    }

    long token() {
        return token;
    }

    Holder holder() {
        return holder;
    }

    Terms terms() {
        return terms;
    }

    LeaseRecord lease() {
        return lease;
    }

    /** The grant lasts as long as the lease that asked for it last: that one is kept alive by its holder. */
    void hangOn(LeaseRecord latest) {
        lease = latest;
    }

    Lock.@Nullable Forced forced() {
        return forced;
    }

    void force(Lock.Forced by) {
        forced = by;
        limit = expiresAt();
    }

    boolean isCurrent() {
        return ending == null;
    }

    Instant expiresAt() {
        Instant leaseEnd = lease.expiresAt();
        return limit != null && limit.isBefore(leaseEnd) ? limit : leaseEnd;
    }

    /** When it ended, or will if nobody renews it. */
    Instant overAt() {
        return endedAt == null ? expiresAt() : endedAt;
    }

    /** How the tenure ended; null while it lasts. */
    Past.@Nullable Event ending() {
        return ending;
    }

    Past end(Past.Event how, Instant at) {
        Lock.Forced by = forced;
        lastGrant = grant();
        ending = how;
        endedAt = at;
        return by == null
                ? new Past(how, token, holder, acquiredAt, at, null)
                : new Past(Past.Event.FORCED, token, holder, acquiredAt, at, by.actor() + ": " + by.reason());
    }

    Lock.Status status() {
        return switch (ending) {
            case null -> forced == null ? Lock.Status.ACTIVE : Lock.Status.RELEASING;
            case EXPIRED, HELD_TOO_LONG -> Lock.Status.EXPIRED;
            case RELEASED, FORCED, REFUSED, FORCE_ORDERED -> Lock.Status.RELEASED;
        };
    }

    /** As it stands now, or as it stood when it ended: later renewals of the lease are not its own. */
    Lock.Grant grant() {
        return lastGrant != null
                ? lastGrant
                : new Lock.Grant(
                        holder,
                        lease.lease().id(),
                        acquiredAt,
                        lease.renewedAt(),
                        expiresAt(),
                        terms.maintenance(),
                        forced);
    }
}

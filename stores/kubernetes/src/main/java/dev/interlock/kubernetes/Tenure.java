package dev.interlock.kubernetes;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import dev.interlock.core.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One grant of one lock, as it is kept in the Lease's annotation.
 *
 * @param identity what the Lease's {@code holderIdentity} says while this grant lasts
 * @param ticket the place in the queue that the grant came from; zero when nobody had to wait
 * @param leaseEnd when the lease ends under the grant
 * @param limit the end that no renewal moves: the maximum hold, or what a forced holder is given to stop
 * @param foreign held by a program that knows nothing of Interlock, such as an elector of client-go
 * @param ending how it ended; null while it lasts
 */
record Tenure(
        long token,
        Holder holder,
        String identity,
        long ticket,
        UUID lease,
        Duration duration,
        Terms terms,
        Instant acquiredAt,
        Instant renewedAt,
        Instant leaseEnd,
        @Nullable Instant limit,
        Lock.@Nullable Forced forced,
        boolean foreign,
        Past.@Nullable Event ending) {
    Tenure {
        Objects.requireNonNull(holder);
        Objects.requireNonNull(identity);
        Objects.requireNonNull(lease);
        Objects.requireNonNull(duration);
        Objects.requireNonNull(terms);
        Objects.requireNonNull(acquiredAt);
        Objects.requireNonNull(renewedAt);
        Objects.requireNonNull(leaseEnd);
    }

    static Tenure begin(long token, Ask ask, String identity, long ticket, LeaseTimes times, Instant now) {
        Duration maxHold = ask.terms().maxHold();
        return new Tenure(
                token,
                ask.holder(),
                identity,
                ticket,
                ask.lease().id(),
                ask.lease().duration(),
                ask.terms(),
                now,
                times.renewedAt(),
                times.expiresAt(),
                maxHold == null ? null : now.plus(maxHold),
                null,
                false,
                null);
    }

    boolean isCurrent() {
        return ending == null;
    }

    boolean isOf(Holder other) {
        return Tenure.same(holder, other);
    }

    static boolean same(Holder one, Holder other) {
        return one.execution().equals(other.execution())
                && one.attempt() == other.attempt()
                && one.owner().equals(other.owner());
    }

    Instant expiresAt() {
        return limit != null && limit.isBefore(leaseEnd) ? limit : leaseEnd;
    }

    LeaseTimes times() {
        return new LeaseTimes(renewedAt, leaseEnd);
    }

    /** Never earlier than before: a clock that was set back must not shorten what was promised. */
    Tenure renewed(UUID onLease, Duration lasting, LeaseTimes times) {
        Instant end = onLease.equals(lease) && leaseEnd.isAfter(times.expiresAt()) ? leaseEnd : times.expiresAt();
        return new Tenure(
                token,
                holder,
                identity,
                ticket,
                onLease,
                lasting,
                terms,
                acquiredAt,
                times.renewedAt(),
                end,
                limit,
                forced,
                foreign,
                ending);
    }

    Tenure forcedBy(Lock.Forced by) {
        return new Tenure(
                token,
                holder,
                identity,
                ticket,
                lease,
                duration,
                terms,
                acquiredAt,
                renewedAt,
                leaseEnd,
                expiresAt(),
                by,
                foreign,
                ending);
    }

    Tenure ended(Past.Event how) {
        return new Tenure(
                token,
                holder,
                identity,
                ticket,
                lease,
                duration,
                terms,
                acquiredAt,
                renewedAt,
                leaseEnd,
                limit,
                forced,
                foreign,
                how);
    }

    Lock.Status status() {
        return switch (ending) {
            case null -> forced == null ? Lock.Status.ACTIVE : Lock.Status.RELEASING;
            case EXPIRED, HELD_TOO_LONG -> Lock.Status.EXPIRED;
            case RELEASED, FORCED, REFUSED, FORCE_ORDERED -> Lock.Status.RELEASED;
        };
    }

    Lock.Grant grant() {
        return new Lock.Grant(holder, lease, acquiredAt, renewedAt, expiresAt(), terms.maintenance(), forced);
    }
}

package dev.interlock.kubernetes;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Past;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lock, as it is kept in the Lease's annotation: a tenure that ended, a refusal, an order.
 *
 * @param event what the history shows
 * @param ending how a tenure really ended; null for what is no tenure. A forced holder that confirmed shows as forced
 * @param leaseOver the tenure ended because its lease was given up
 */
record Gone(
        long number,
        Past.Event event,
        Past.@Nullable Event ending,
        long token,
        Holder holder,
        @Nullable UUID lease,
        boolean leaseOver,
        Lock.@Nullable Forced forced,
        Instant began,
        Instant ended) {
    Gone {
        Objects.requireNonNull(event);
        Objects.requireNonNull(holder);
        Objects.requireNonNull(began);
        Objects.requireNonNull(ended);
    }

    static Gone tenure(long number, Tenure tenure, Past.Event how, Instant at, boolean leaseOver) {
        return new Gone(
                number,
                tenure.forced() == null ? how : Past.Event.FORCED,
                how,
                tenure.token(),
                tenure.holder(),
                tenure.lease(),
                leaseOver,
                tenure.forced(),
                tenure.acquiredAt(),
                at);
    }

    static Gone note(
            long number, Past.Event event, long token, Holder holder, Lock.@Nullable Forced forced, Instant at) {
        return new Gone(number, event, null, token, holder, null, false, forced, at, at);
    }

    boolean isTenure() {
        return ending != null;
    }

    Past past() {
        return new Past(
                event, token, holder, began, ended, forced == null ? null : forced.actor() + ": " + forced.reason());
    }

    /** Why the one who held then holds no longer. */
    Loss loss(long latestToken) {
        if (forced != null) {
            return new Loss.ForcedBy(forced.actor(), forced.reason());
        }
        return switch (ending) {
            case RELEASED -> Loss.Cause.ALREADY_RELEASED;
            case HELD_TOO_LONG -> Loss.Cause.HELD_TOO_LONG;
            case EXPIRED -> latestToken == token ? Loss.Cause.EXPIRED : Loss.Cause.SUPERSEDED;
            case null, default -> throw new IllegalStateException("this is no tenure: " + event);
        };
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.Past;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock's record together with what the server's clock and the leases say about it.
 *
 * @param lease the lease under the present tenure, as well as it is known
 * @param record that lease's own record; null when there is none, or when it need not be asked
 * @param over how the tenure ended, also when nobody has written that down yet; null while it lasts
 * @param expired the tenure ended because its lease ran out, and nobody has revoked the lease yet
 * @param waiting those in the queue who are alive
 */
record Judged(
        LockRecord lock,
        LeaseTimes lease,
        @Nullable LeaseRecord record,
        LockRecord.@Nullable Ending over,
        boolean expired,
        boolean closed,
        List<LockRecord.Queued> waiting,
        Instant seenAt) {
    boolean isHeld() {
        return over == null;
    }

    /** Nobody holds it, and no cooldown or lock-delay is running. */
    boolean isFree() {
        return over != null && !closed;
    }

    /** A holder that was told to stop does not get its grant back by asking again. */
    boolean isHeldBy(Holder holder) {
        return isHeld() && lock.tenure().forced() == null && lock.tenure().isOf(holder);
    }

    List<LockRecord.Queued> waitingOutside(String room) {
        return waiting.stream().filter(queued -> !queued.room().equals(room)).toList();
    }

    Instant expiresAt() {
        return lock.tenure().expiresAt(lease);
    }

    Lock view() {
        Tenure tenure = lock.tenure();
        Lock.Grant grant = new Lock.Grant(
                tenure.holder(),
                lease.id(),
                tenure.acquiredAt(),
                lease.renewedAt(),
                expiresAt(),
                tenure.terms().maintenance(),
                tenure.forced());
        return new Lock(
                lock.name(),
                lock.token(),
                status(),
                grant,
                waiting.size(),
                over != null && closed ? over.closedUntil() : null,
                seenAt);
    }

    private Lock.Status status() {
        if (over == null) {
            return lock.tenure().forced() == null ? Lock.Status.ACTIVE : Lock.Status.RELEASING;
        }
        return over.how() == Past.Event.EXPIRED || over.how() == Past.Event.HELD_TOO_LONG
                ? Lock.Status.EXPIRED
                : Lock.Status.RELEASED;
    }
}

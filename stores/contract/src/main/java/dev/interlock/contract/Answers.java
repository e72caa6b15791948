package dev.interlock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Entry;
import dev.interlock.core.Force;
import dev.interlock.core.Forcing;
import dev.interlock.core.Handover;
import dev.interlock.core.LeaseRenewal;
import dev.interlock.core.Lock;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.Place;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The answers that a rule expects, opened up. */
final class Answers {
    static final Release RELEASED = new Release.Released();
    static final String ACTOR = "oncall@example.com";
    static final String REASON = "the host is gone";
    static final Loss FORCED = new Loss.ForcedBy(ACTOR, REASON);

    private Answers() {}

    static Lock granted(Object answer) {
        return as(Acquisition.Granted.class, answer).lock();
    }

    /** The lock that stood in the way. */
    static Lock refused(Acquisition answer) {
        return as(Acquisition.Held.class, answer).current();
    }

    static Entry.Queued queued(Entry answer) {
        return as(Entry.Queued.class, answer);
    }

    /** What the place came to. The time limit only ends a test that has failed. */
    static Handover outcome(Place place) {
        try {
            return place.handover().get(20, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException | InterruptedException e) {
            throw new AssertionError("the place came to nothing", e);
        }
    }

    static Lock handed(Place place) {
        return granted(outcome(place));
    }

    static Handover dropped(Handover.Reason reason) {
        return new Handover.Dropped(reason);
    }

    static Lock renewed(Renewal answer) {
        return as(Renewal.Renewed.class, answer).lock();
    }

    static LeaseRenewal.Renewed renewed(LeaseRenewal answer) {
        return as(LeaseRenewal.Renewed.class, answer);
    }

    static Lost lost(Object answer) {
        return as(Lost.class, answer);
    }

    static Force force(Lock seen) {
        return new Force(seen.name(), seen.token(), ACTOR, REASON, false);
    }

    static Force forceNow(Lock seen) {
        return new Force(seen.name(), seen.token(), ACTOR, REASON, true);
    }

    static Forcing.Releasing releasing(Forcing answer) {
        return as(Forcing.Releasing.class, answer);
    }

    /** Comparable to the same record in a later answer: without the instant of the answer. */
    static Lock unseen(Lock lock) {
        return new Lock(
                lock.name(),
                lock.token(),
                lock.status(),
                lock.grant(),
                lock.waiting(),
                lock.closedUntil(),
                Instant.EPOCH);
    }

    private static <T> T as(Class<T> type, Object answer) {
        assertThat(answer).isInstanceOf(type);
        return type.cast(answer);
    }
}

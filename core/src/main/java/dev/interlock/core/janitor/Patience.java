package dev.interlock.core.janitor;

import dev.interlock.core.Lease;
import java.time.Duration;
import java.util.List;

/**
 * How long the janitor waits before it acts, by the store's clock.
 *
 * @param grace how long after the end of its lease, or of its timeout, a runner may still report
 * @param lockLost how long an execution may run without a lock before that counts as lost
 * @param runningLong how long an attempt may run before somebody is told
 * @param deadTold how long a dead letter may lie before somebody is told
 * @param deadKept how long dead letters are kept
 * @param crashes how many lost runners one execution may cost, however many attempts it has left
 */
public record Patience(
        Duration grace, Duration lockLost, Duration runningLong, Duration deadTold, Duration deadKept, int crashes) {
    public static final Patience DEFAULT = new Patience(
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(90),
            Duration.ofHours(1),
            Duration.ofDays(14),
            3);

    public Patience {
        for (Duration wait : List.of(grace, lockLost, runningLong, deadTold, deadKept)) {
            if (wait.isNegative() || wait.compareTo(Lease.LONGEST) > 0) {
                throw new IllegalArgumentException("The janitor waits between zero and 366 days, not " + wait + ".");
            }
        }
        if (crashes < 1) {
            throw new IllegalArgumentException(
                    "An execution is given up after 1 lost runner or more, not " + crashes + ".");
        }
    }

    public Patience withGrace(Duration duration) {
        return new Patience(duration, lockLost, runningLong, deadTold, deadKept, crashes);
    }

    public Patience withCrashes(int number) {
        return new Patience(grace, lockLost, runningLong, deadTold, deadKept, number);
    }
}

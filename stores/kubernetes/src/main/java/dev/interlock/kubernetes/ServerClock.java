package dev.interlock.kubernetes;

import java.time.Duration;
import java.time.Instant;

/**
 * The API server's clock, as far as it can be known from here. It alone dates what is written and says what has
 * expired; the clock of this machine may show any hour.
 */
interface ServerClock {
    /**
     * The server answered with this date.
     *
     * @param sentAt the ticker when the request was sent
     * @param heardAt the ticker when the answer had come
     */
    void heard(Instant date, long sentAt, long heardAt);

    Reading now();

    /**
     * What the server's clock shows now: not earlier and not later than this. What is written is dated with the later
     * bound and judged by the earlier one, so that the width of the interval only ever lengthens a lease.
     *
     * @param steadyFor for how long no jump of the server's clock has been seen
     */
    record Reading(Instant earliest, Instant latest, Duration steadyFor) {
        boolean isPast(Instant instant) {
            return !instant.isAfter(earliest);
        }

        /** Whether a lease with this end is over: a clock that has just jumped says nothing about that. */
        boolean isOver(Instant end, Duration lease) {
            return isPast(end) && steadyFor.compareTo(lease) >= 0;
        }
    }
}

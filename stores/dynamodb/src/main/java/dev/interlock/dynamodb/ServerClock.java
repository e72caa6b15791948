package dev.interlock.dynamodb;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What time it is at the service, learnt from the Date of its answers and carried on by this process's monotonic clock.
 * The machine's own wall clock takes no part. A Date tells only the second, so the truth lies between two bounds, which
 * come closer with every answer: what is written uses the later one, what is judged to be over the earlier one.
 */
final class ServerClock {
    /** How far the machines of the service may be apart. */
    static final Duration SKEW = Duration.ofSeconds(1);

    private static final long SECOND = 1_000_000_000L;

    /** By how much our clock may be faster or slower than theirs: a thousandth. */
    private static final long DRIFT = 1000;

    private final Ports.Ticker ticker;
    private @Nullable Bounds bounds;

    ServerClock(Ports.Ticker ticker) {
        this.ticker = ticker;
    }

    /** The service's clock minus ours, in nanoseconds, as it was known at that instant of ours. */
    private record Bounds(long least, long most, long at) {
        Bounds widened(long now) {
            long drift = Math.max(0, now - at) / DRIFT;
            return new Bounds(least - drift, most + drift, now);
        }

        Bounds narrowed(Bounds by) {
            long newLeast = Math.max(least, by.least);
            long newMost = Math.min(most, by.most);
            // No common ground: somebody has set the service's clock. The newest answer is right.
            return newLeast <= newMost ? new Bounds(newLeast, newMost, by.at) : by;
        }
    }

    /** An answer said that it was made at this second, between these two instants of ours. */
    synchronized void heard(Instant date, long sentAt, long receivedAt) {
        long nanos = date.getEpochSecond() * SECOND;
        Bounds answer = new Bounds(nanos - receivedAt, nanos + SECOND - sentAt, receivedAt);
        bounds = bounds == null ? answer : bounds.widened(receivedAt).narrowed(answer);
    }

    /** Not earlier than it is there. */
    Instant latest() {
        long now = ticker.nanos();
        return instant(now, now().widened(now).most());
    }

    /** Whether that instant has passed there, whichever of its machines looks at its clock. */
    boolean isPast(Instant instant) {
        return hasCome(instant.plus(SKEW));
    }

    /** Whether it is that instant there already. */
    boolean hasCome(Instant instant) {
        return !earliest().isBefore(instant);
    }

    /** Not later than it is there. */
    Instant earliest() {
        long now = ticker.nanos();
        return instant(now, now().widened(now).least());
    }

    private synchronized Bounds now() {
        if (bounds == null) {
            throw new IllegalStateException("no answer has been heard yet");
        }
        return bounds;
    }

    private static Instant instant(long now, long offset) {
        long nanos = now + offset;
        return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND))
                .truncatedTo(ChronoUnit.MILLIS);
    }
}

package dev.interlock.kubernetes;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server's clock from the {@code Date} of its answers, carried on by the ticker of this process. A date is whole
 * seconds, and was written at some moment between request and answer; what several of them have in common is known
 * more precisely.
 */
final class DateClock implements ServerClock {
    private static final Duration RESOLUTION = Duration.ofSeconds(1);
    private static final Duration FOR_EVER = Duration.ofDays(36_525);
    private static final int DRIFT = 1000; // one part in a thousand, far beyond what clocks differ by

    private final Ports.Ticker ticker;
    private @Nullable Bounds known;
    private long jumpedAt;
    private boolean jumped;

    DateClock(Ports.Ticker ticker) {
        this.ticker = ticker;
    }

    /** The server's time at one moment of the ticker. */
    private record Bounds(Instant low, Instant high, long at) {
        Bounds moved(long to) {
            long elapsed = to - at;
            long drift = Math.abs(elapsed) / DRIFT;
            return new Bounds(low.plusNanos(elapsed - drift), high.plusNanos(elapsed + drift), to);
        }

        boolean isApartFrom(Bounds other) {
            return low.isAfter(other.high) || high.isBefore(other.low);
        }

        Bounds and(Bounds other) {
            return new Bounds(
                    low.isAfter(other.low) ? low : other.low, high.isBefore(other.high) ? high : other.high, at);
        }
    }

    @Override
    public synchronized void heard(Instant date, long sentAt, long heardAt) {
        Bounds fresh = new Bounds(date, date.plus(RESOLUTION).plusNanos(heardAt - sentAt), heardAt);
        if (known == null) {
            known = fresh;
            return;
        }
        Bounds expected = known.moved(heardAt);
        if (expected.isApartFrom(fresh)) {
            // Somebody set the clock, or another server answered whose clock differs: what was known is worth nothing.
            jumped = true;
            jumpedAt = heardAt;
            known = fresh;
        } else {
            known = expected.and(fresh);
        }
    }

    @Override
    public synchronized Reading now() {
        if (known == null) {
            throw new IllegalStateException("the API server has not been heard yet");
        }
        long at = ticker.nanos();
        Bounds now = known.moved(at);
        Duration steadyFor = jumped ? Duration.ofNanos(Math.max(0, at - jumpedAt)) : FOR_EVER;
        return new Reading(now.low(), now.high().truncatedTo(ChronoUnit.MICROS), steadyFor);
    }
}

package dev.interlock.core.polling;

import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Judges by observation, where a store has no clock inside its conditional writes: a record whose version did not change
 * for a whole lease, on this process's monotonic clock, has not been renewed for that long. No instant of another
 * machine takes part. An observer that starts again begins to observe again: slower, never unsafe.
 */
public final class Sightings {
    private static final int MOST = 10_000;

    private final Ports.Ticker ticker;
    private final ReentrantLock guard = new ReentrantLock();
    private final Map<Object, Sighting> sightings = new LinkedHashMap<>();

    public Sightings(Ports.Ticker ticker) {
        this.ticker = ticker;
    }

    private record Sighting(Object version, long since) {}

    /**
     * Notes what was read, and tells whether it has stayed the same for that long.
     *
     * @param askedAt the ticker before the read was sent: the version was in the store at some later instant. The first
     *     sighting counts from when its answer was there, which is now, so that time on the way is never counted.
     */
    public boolean unchangedFor(Duration lease, Object record, Object version, long askedAt) {
        return stillFor(record, version, askedAt).compareTo(lease) >= 0;
    }

    /** Notes what was read, and tells for how long it has stayed the same: not at all when it is new. */
    public Duration stillFor(Object record, Object version, long askedAt) {
        guard.lock();
        try {
            Sighting before = sightings.get(record);
            if (before == null || !before.version().equals(version)) {
                sightings.remove(record);
                sightings.put(record, new Sighting(version, ticker.nanos()));
                forgetTheOldest();
                return Duration.ZERO;
            }
            return Duration.ofNanos(Math.max(0, askedAt - before.since()));
        } finally {
            guard.unlock();
        }
    }

    /** What has ended need not be watched any more. */
    public void forget(Object record) {
        guard.lock();
        try {
            sightings.remove(record);
        } finally {
            guard.unlock();
        }
    }

    private void forgetTheOldest() {
        if (sightings.size() > MOST) {
            sightings.remove(sightings.keySet().iterator().next());
        }
    }
}

package dev.interlock.postgres;

import dev.interlock.core.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The releases that a crash of the server could still lose, since a release is not waited for on disk. They are sent
 * again when the server has crashed: a repeat is harmless.
 */
final class RecentReleases {
    private static final Duration AT_LEAST = Duration.ofSeconds(3);

    /**
     * What went together, and no more of it than it takes to say it again: tens of thousands a second are kept for
     * seconds, and whatever is kept that long the collector copies, while everybody waits.
     */
    static final class Batch {
        private final LockName[] names;
        private final long[] tokens;
        private final UUID[] leases;
        private volatile boolean answered;
        private volatile long answeredAt;

        private Batch(List<Releasing.Request> releases) {
            int size = releases.size();
            names = new LockName[size];
            tokens = new long[size];
            leases = new UUID[size];
            for (int i = 0; i < size; i++) {
                Releasing.Request release = releases.get(i);
                names[i] = release.name;
                tokens[i] = release.token;
                leases[i] = release.lease;
            }
        }

        private boolean isOlder(long nanos, long now) {
            return answered && now - answeredAt > nanos;
        }

        private void addTo(List<Releasing.Request> releases) {
            for (int i = 0; i < names.length; i++) {
                releases.add(new Releasing.Request(names[i], tokens[i], leases[i]));
            }
        }
    }

    private final Deque<Batch> recent = new ConcurrentLinkedDeque<>();
    private volatile long windowNanos = AT_LEAST.toNanos();

    /**
     * @param unwritten how long the server may leave a commit unwritten that nobody waits for
     */
    void keepBeyond(Duration unwritten) {
        windowNanos = AT_LEAST.plus(unwritten).toNanos();
    }

    /** Kept from now on; their time begins when they are {@link #answered}. */
    Batch add(List<Releasing.Request> releases) {
        Batch batch = new Batch(releases);
        recent.add(batch);
        return batch;
    }

    void answered(Batch batch, long now) {
        batch.answeredAt = now;
        batch.answered = true;
        for (Batch oldest; (oldest = recent.peekFirst()) != null && oldest.isOlder(windowNanos, now); ) {
            recent.remove(oldest);
        }
    }

    /** After a crash: what to send again, and to add again whether that succeeds or not. */
    List<Releasing.Request> takeAll() {
        List<Releasing.Request> all = new ArrayList<>();
        for (Batch next; (next = recent.pollFirst()) != null; ) {
            next.addTo(all);
        }
        return all;
    }
}

package dev.interlock.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The releases that a crash of the server could still lose, since a release is not waited for on disk. They are sent
 * again when the server has crashed: a repeat is harmless.
 */
final class RecentReleases {
    private static final Duration AT_LEAST = Duration.ofSeconds(3);

    private final Deque<Releasing.Request> recent = new ConcurrentLinkedDeque<>();
    private volatile long windowNanos = AT_LEAST.toNanos();

    /**
     * @param unwritten how long the server may leave a commit unwritten that nobody waits for
     */
    void keepBeyond(Duration unwritten) {
        windowNanos = AT_LEAST.plus(unwritten).toNanos();
    }

    /** Kept from now on; their time begins when they are {@link #answered}. */
    void add(List<Releasing.Request> batch) {
        recent.addAll(batch);
    }

    void answered(List<Releasing.Request> batch, long now) {
        batch.forEach(release -> release.answeredAt(now));
        for (Releasing.Request oldest; (oldest = recent.peekFirst()) != null && oldest.isOlder(windowNanos, now); ) {
            recent.remove(oldest);
        }
    }

    /** After a crash: what to send again, and to add again whether that succeeds or not. */
    List<Releasing.Request> takeAll() {
        List<Releasing.Request> all = new ArrayList<>();
        for (Releasing.Request next; (next = recent.pollFirst()) != null; ) {
            all.add(next);
        }
        return all;
    }
}

package dev.interlock.postgres;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The releases that a crash of the server could still lose, since a release is not waited for on disk. They are sent
 * again when the server has crashed: a repeat is harmless.
 */
final class RecentReleases {
    /** Far beyond the 600 ms after which the server has written everything with its default settings. */
    private static final long WINDOW_NANOS = 3_000_000_000L;

    private record Sent(Releasing.Request release, long at) {}

    private final Deque<Sent> sent = new ConcurrentLinkedDeque<>();

    /** The highest token given back of each name that the latest crash may have lost. */
    private final Map<LockName, Long> perhapsLost = new ConcurrentHashMap<>();

    void add(List<Releasing.Request> batch, long now) {
        for (Releasing.Request release : batch) {
            sent.addLast(new Sent(release, now));
        }
        for (Sent oldest; (oldest = sent.peekFirst()) != null && now - oldest.at() > WINDOW_NANOS; ) {
            sent.remove(oldest);
        }
    }

    /** After a crash: what to send again, and to add again whether that succeeds or not. */
    List<Releasing.Request> takeAll() {
        List<Releasing.Request> all = new ArrayList<>();
        for (Sent next; (next = sent.pollFirst()) != null; ) {
            all.add(next.release);
            perhapsLost.merge(next.release.name, next.release.token, Math::max);
        }
        return all;
    }

    /** Whether this is a grant that was given back already, which the server has forgotten. */
    boolean contains(Lock lock) {
        return lock.token() <= perhapsLost.getOrDefault(lock.name(), 0L);
    }
}

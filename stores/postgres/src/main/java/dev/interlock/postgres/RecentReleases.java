package dev.interlock.postgres;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The releases that a crash of the server could still lose, since a plain release is not waited for on disk. They are
 * sent again when the server has crashed: a repeat is harmless.
 */
final class RecentReleases {
    /** Far beyond the 600 ms after which the server has written everything with its default settings. */
    private static final long WINDOW_NANOS = 3_000_000_000L;

    private record Sent(Releasing.Request release, long at) {}

    private final Deque<Sent> sent = new ConcurrentLinkedDeque<>();

    void add(List<Releasing.Request> batch, long now) {
        for (Releasing.Request release : batch) {
            sent.addLast(new Sent(release, now));
        }
        for (Sent oldest; (oldest = sent.peekFirst()) != null && now - oldest.at() > WINDOW_NANOS; ) {
            sent.remove(oldest);
        }
    }

    List<Releasing.Request> all() {
        return sent.stream().map(Sent::release).toList();
    }
}

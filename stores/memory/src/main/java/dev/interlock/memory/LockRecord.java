package dev.interlock.memory;

import dev.interlock.core.Holder;
import dev.interlock.core.LockName;
import dev.interlock.core.Past;
import dev.interlock.core.Waiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A lock as the store keeps it: its tenures by token, its queue, its history. It begins with its first grant. */
final class LockRecord {
    private final LockName name;
    private final NavigableMap<Long, Tenure> tenures = new TreeMap<>();
    private final List<Waiting> queue = new ArrayList<>();
    private final List<Past> past = new ArrayList<>();
    private Instant lastUsed = Instant.MIN;
    private Instant closedUntil = Instant.MIN;

    LockRecord(LockName name) {
        this.name = name;
    }

    LockName name() {
        return name;
    }

    boolean isNew() {
        return tenures.isEmpty();
    }

    void begin(Tenure tenure) {
        tenures.put(tenure.token(), tenure);
    }

    Tenure latest() {
        return tenures.lastEntry().getValue();
    }

    /** The grant with this token, if it was this holder's. */
    Optional<Tenure> tenure(long token, Holder holder) {
        return Optional.ofNullable(tenures.get(token)).filter(tenure -> same(tenure.holder(), holder));
    }

    boolean isHeld() {
        return !isNew() && latest().isCurrent();
    }

    /** A holder that was told to stop does not get its grant back by asking again. */
    boolean isHeldBy(Holder holder) {
        return isHeld() && latest().forced() == null && same(latest().holder(), holder);
    }

    private static boolean same(Holder one, Holder other) {
        return one.execution().equals(other.execution())
                && one.attempt() == other.attempt()
                && one.owner().equals(other.owner());
    }

    Instant lastUsed() {
        return lastUsed;
    }

    Instant closedUntil() {
        return closedUntil;
    }

    boolean isClosed(Instant now) {
        return closedUntil.isAfter(now);
    }

    void ended(Past tenure, Instant closed) {
        past.add(tenure);
        lastUsed = tenure.ended();
        closedUntil = closed;
    }

    void note(Past event) {
        past.add(event);
    }

    List<Past> newestFirst() {
        return past.reversed();
    }

    /** The head first. */
    List<Waiting> queue() {
        return queue;
    }

    Optional<Waiting> waiting(Holder holder) {
        return queue.stream()
                .filter(waiting -> same(waiting.ask().holder(), holder))
                .findFirst();
    }

    List<Waiter> waiters() {
        List<Waiter> waiters = new ArrayList<>();
        for (Waiting waiting : queue) {
            waiters.add(new Waiter(
                    waiting.ticket(), waiters.size() + 1, waiting.ask().holder(), waiting.since(), waiting.until()));
        }
        return waiters;
    }
}

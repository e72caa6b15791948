package dev.interlock.core.polling;

import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What one process knows about waiting for one lock. Steps take turns; the rest is guarded by the room. */
final class Desk {
    private final LockName name;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile List<Waiting> queue = List.of();
    private volatile int inARow;

    int users;
    Duration pace = WaitingRoom.FIRST_PACE;
    Ports.@Nullable Timer nextLook;
    Duration afterThisLook = WaitingRoom.FIRST_PACE;
    boolean looking;
    boolean lookWanted;

    Desk(LockName name) {
        this.name = name;
    }

    LockName name() {
        return name;
    }

    ReentrantLock turn() {
        return turn;
    }

    List<Waiting> queue() {
        return queue;
    }

    synchronized void add(Waiting waiting) {
        List<Waiting> longer = new ArrayList<>(queue);
        longer.add(waiting);
        queue = List.copyOf(longer);
    }

    synchronized void remove(Waiting waiting) {
        queue = queue.stream().filter(other -> other != waiting).toList();
    }

    int inARow() {
        return inARow;
    }

    synchronized void handedOver() {
        inARow++;
    }

    synchronized void startCounting() {
        inARow = 0;
    }
}

package dev.interlock.kubernetes;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Handover;
import dev.interlock.core.LockName;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process. The queue itself is in the Lease and whoever frees a lock hands it on there; here one
 * observer for each lock, however many wait for it, learns of that: by watching the Lease, and by looking at it when
 * something must have happened.
 */
final class WaitingRoom {
    /** Looking is only the net under the watch, except at the moment when a lease must have run out. */
    private static final Duration UNDER_WATCH = Duration.ofSeconds(5);

    private static final Duration WITHOUT_WATCH = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration STANDING_BACK = Duration.ofMillis(500);

    private final Ports ports;
    private final LeaseBook book;
    private final Door door;
    private final ConcurrentHashMap<LockName, Observer> observers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** What the room asks of the store. */
    interface Door {
        /** Looks at the lock, and hands it on if it has become free; whatever is seen comes back to the room. */
        void look(LockName name);

        /** Asks for the place again, since the Lease with the queue was deleted. */
        void rejoin(Wait wait);

        Api.Watch watch(LockName name, long afterVersion, Runnable ended);
    }

    /** One waiter of this process. */
    record Wait(Ask ask, long ticket, String uid, Instant until, CompletableFuture<Handover> handover) {}

    WaitingRoom(Ports ports, LeaseBook book, Door door) {
        this.ports = ports;
        this.book = book;
        this.door = door;
    }

    /** The holder waits there; the answer is an earlier future when it has waited there already. */
    CompletableFuture<Handover> join(Wait wait) {
        LockName name = wait.ask().name();
        AtomicReference<CompletableFuture<Handover>> handover = new AtomicReference<>(wait.handover());
        Observer observer = observers.compute(name, (key, before) -> {
            Observer present = before == null ? new Observer(name) : before;
            handover.set(present.add(wait));
            return present;
        });
        if (closed) {
            close();
        }
        observer.lookSoon();
        return handover.get();
    }

    void saw(LockRecord record) {
        Observer observer = observers.get(record.name());
        if (observer != null) {
            observer.saw(record);
        }
    }

    void close() {
        closed = true;
        observers.values().forEach(Observer::close);
        observers.clear();
    }

    private void leaveIfEmpty(LockName name) {
        observers.computeIfPresent(name, (key, observer) -> observer.closeIfEmpty() ? null : observer);
    }

    private final class Observer {
        private final LockName name;
        private final List<Wait> waits = new ArrayList<>();
        private long newest;
        private Api.@Nullable Watch watch;
        private int watches;
        private Ports.@Nullable Timer timer;
        private boolean over;

        Observer(LockName name) {
            this.name = name;
        }

        synchronized CompletableFuture<Handover> add(Wait wait) {
            for (Wait present : waits) {
                if (present.ticket() == wait.ticket()) {
                    waits.remove(present);
                    waits.add(new Wait(wait.ask(), wait.ticket(), wait.uid(), wait.until(), present.handover()));
                    return present.handover();
                }
            }
            waits.add(wait);
            return wait.handover();
        }

        /** What has become of the waiters, by this state of the lock. */
        void saw(LockRecord record) {
            List<Runnable> news = new ArrayList<>();
            synchronized (this) {
                if (over || (record.version() != 0 && record.version() < newest)) {
                    return; // A watch may tell late what an answer has told before.
                }
                newest = record.version();
                for (Wait wait : List.copyOf(waits)) {
                    Runnable end = end(wait, record);
                    if (end != null) {
                        waits.remove(wait);
                        news.add(end);
                    }
                }
                if (!waits.isEmpty()) {
                    watchFrom(record);
                    schedule(next(record));
                }
            }
            news.forEach(Runnable::run);
            leaveIfEmpty(name);
        }

        /** How this wait ended; null while it goes on. */
        private @Nullable Runnable end(Wait wait, LockRecord record) {
            Tenure tenure = record.tenure();
            if (tenure != null
                    && tenure.isCurrent()
                    && tenure.ticket() == wait.ticket()
                    && tenure.isOf(wait.ask().holder())) {
                book.holds(
                        wait.ask().lease(),
                        name,
                        tenure.token(),
                        new LeaseTimes(tenure.renewedAt(), tenure.leaseEnd()));
                book.left(wait.ask().lease().id(), name, wait.ticket());
                Handover granted = new Acquisition.Granted(record.view());
                return () -> wait.handover().complete(granted);
            }
            if (record.position(wait.ticket()) > 0) {
                return null;
            }
            book.left(wait.ask().lease().id(), name, wait.ticket());
            boolean leaseOver = book.isOver(wait.ask().lease().id(), record.now());
            boolean tooLong = record.now().isPast(wait.until());
            if (!leaseOver && !tooLong && !record.uid().equals(wait.uid())) {
                return () -> ports.tasks().start("interlock-rejoin", () -> rejoin(wait));
            }
            Handover dropped = new Handover.Dropped(
                    leaseOver
                            ? Handover.Reason.LEASE_ENDED
                            : tooLong ? Handover.Reason.WAITED_TOO_LONG : Handover.Reason.CANCELLED);
            return () -> wait.handover().complete(dropped);
        }

        private void rejoin(Wait wait) {
            try {
                door.rejoin(wait);
            } catch (RuntimeException e) {
                wait.handover().completeExceptionally(e);
            }
        }

        private void watchFrom(LockRecord record) {
            if (watch == null && record.version() != 0) {
                int number = ++watches;
                watch = door.watch(name, record.version(), () -> watchEnded(number));
            }
        }

        private synchronized void watchEnded(int number) {
            if (!over && watches == number) {
                watch = null;
                schedule(ports.jittered(WITHOUT_WATCH));
            }
        }

        /** When something must have happened, at the latest. Only the head of the queue is there at that moment. */
        private Duration next(LockRecord record) {
            Duration net = watch == null ? WITHOUT_WATCH : UNDER_WATCH;
            Tenure tenure = record.tenure();
            Instant now = record.now().earliest();
            boolean held = record.isHeld();
            Optional<Instant> freed = tenure == null || !held ? record.closing() : Optional.of(tenure.expiresAt());
            boolean head = waits.stream().anyMatch(wait -> record.position(wait.ticket()) == 1);
            Duration back = head ? Duration.ZERO : STANDING_BACK.plus(ports.jittered(STANDING_BACK));
            Duration free = freed.map(at -> Duration.between(now, at))
                    .orElse(Duration.ZERO)
                    .plus(back);
            Duration own = waits.stream()
                    .map(wait -> Duration.between(now, wait.until()))
                    .reduce(net, WaitingRoom::shorter);
            Duration next = shorter(shorter(free, own), net);
            return held && next.compareTo(SHORTEST) < 0 ? SHORTEST : next;
        }

        private void schedule(Duration delay) {
            if (timer != null) {
                timer.cancel();
            }
            timer = ports.timers().after(delay.isNegative() ? Duration.ZERO : delay, this::lookSoon);
        }

        private void lookSoon() {
            ports.tasks().start("interlock-observer", this::look);
        }

        private void look() {
            try {
                door.look(name);
            } catch (StoreUnavailable e) {
                synchronized (this) {
                    if (!over && !waits.isEmpty()) {
                        schedule(SHORTEST.plus(ports.jittered(WITHOUT_WATCH)));
                    }
                }
            }
        }

        synchronized boolean closeIfEmpty() {
            if (waits.isEmpty()) {
                stop();
            }
            return over;
        }

        void close() {
            List<Wait> left;
            synchronized (this) {
                left = List.copyOf(waits);
                waits.clear();
                stop();
            }
            left.forEach(wait -> wait.handover().completeExceptionally(Failures.closed(null)));
        }

        private void stop() {
            over = true;
            if (timer != null) {
                timer.cancel();
            }
            if (watch != null) {
                watch.stop();
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

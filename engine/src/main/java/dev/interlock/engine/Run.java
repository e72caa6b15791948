package dev.interlock.engine;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Loss;
import dev.interlock.core.Ports;
import dev.interlock.core.Wording;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import dev.interlock.core.work.LogStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/** One attempt in this process: waits for a slot, runs its handler once, and can be told to stop at any time. */
final class Run implements Work {
    /** What tells attempts apart, in the store and here. */
    record Key(String execution, long token) {
        static Key of(Claimed claimed) {
            return new Key(claimed.execution().id(), claimed.token());
        }
    }

    private enum State {
        WAITING,
        RUNNING,
        OVER
    }

    private final Claimed claimed;
    private final HeldLock lock;
    private final Offer offer;
    private final Output output;
    private final Ports ports;
    private final long claimedAt;

    private final ReentrantLock guard = new ReentrantLock();
    private final List<Runnable> cancelListeners = new ArrayList<>();
    private final List<Consumer<Loss>> lossListeners = new ArrayList<>();
    private State state = State.WAITING;
    private @Nullable Stop stop;
    private @Nullable Thread thread;
    private @Nullable Instant beganAt;
    private @Nullable Integer exit;
    private Ports.@Nullable Timer timeout;

    Run(Claimed claimed, HeldLock lock, Offer offer, Output output, Ports ports) {
        this.claimed = claimed;
        this.lock = lock;
        this.offer = offer;
        this.output = output;
        this.ports = ports;
        this.claimedAt = ports.ticker().nanos();
    }

    Key key() {
        return Key.of(claimed);
    }

    HeldLock lock() {
        return lock;
    }

    /** What the store is told about it. */
    Finish finish(Outcome outcome) {
        return Finish.of(claimed, outcome);
    }

    /** Runs the handler, unless it was told to stop before; how that ended, or null when nobody may be told. */
    @Nullable Outcome perform() {
        if (!begin()) {
            return unstarted();
        }
        Throwable thrown = null;
        try {
            offer.handler().run(this);
        } catch (Throwable e) {
            thrown = e;
        }
        Stop why = end();
        output.close();
        return Outcomes.of(claimed, new Outcomes.Evidence(why, thrown, exit, beganAt));
    }

    /** What to say of one whose handler has not been called, and will not be here. */
    Outcome unstarted() {
        guard.lock();
        try {
            state = State.OVER;
            return stop instanceof Stop.Cancelled
                    ? new Outcome.Stopped(null, null)
                    : new Outcome.HandedBack("its worker could not begin it");
        } finally {
            guard.unlock();
        }
    }

    private boolean begin() {
        guard.lock();
        try {
            // After a long pause of this process its own deadline may be past before anybody could say so.
            if (stop != null || !lock.isHeld()) {
                return false;
            }
            state = State.RUNNING;
            thread = Thread.currentThread();
            Duration limit = claimed.workflow().policy().timeout();
            if (limit != null) {
                timeout = ports.timers().after(limit, () -> stop(new Stop.TimedOut(Wording.spoken(limit))));
            }
        } finally {
            guard.unlock();
        }
        if (offer.beginsAtOnce()) {
            began();
        }
        return true;
    }

    /** From here on nobody interrupts this thread, which has other work to do. */
    private @Nullable Stop end() {
        guard.lock();
        try {
            state = State.OVER;
            thread = null;
            if (timeout != null) {
                timeout.cancel();
            }
            return stop;
        } finally {
            guard.unlock();
            Thread.interrupted();
        }
    }

    /** Tells it to stop. The first reason counts, but a lost lock outweighs every other. True when that was news. */
    boolean stop(Stop reason) {
        List<Runnable> told = new ArrayList<>();
        guard.lock();
        try {
            boolean lost = reason instanceof Stop.Lost;
            if (state == State.OVER || stop instanceof Stop.Lost || (stop != null && !lost)) {
                return false;
            }
            if (stop == null) {
                told.addAll(cancelListeners);
            }
            if (reason instanceof Stop.Lost(Loss why)) {
                lossListeners.forEach(listener -> told.add(() -> listener.accept(why)));
            }
            stop = reason;
            interrupt();
        } finally {
            guard.unlock();
        }
        // Each on its own: one that blocks must not keep the others from being told.
        told.forEach(listener -> ports.tasks().start("interlock-stop", listener));
        return true;
    }

    /** Tells it once more; false when it is over. */
    boolean insist() {
        guard.lock();
        try {
            interrupt();
            return state == State.RUNNING;
        } finally {
            guard.unlock();
        }
    }

    private void interrupt() {
        Thread runner = thread;
        if (runner != null) {
            runner.interrupt();
        }
    }

    @Nullable Stop why() {
        guard.lock();
        try {
            return stop;
        } finally {
            guard.unlock();
        }
    }

    boolean isOver() {
        guard.lock();
        try {
            return state == State.OVER;
        } finally {
            guard.unlock();
        }
    }

    LoggingEventBuilder about(LoggingEventBuilder event) {
        return event.addKeyValue("execution", execution())
                .addKeyValue("attempt", attempt())
                .addKeyValue("token", token())
                .addKeyValue("target", target())
                .addKeyValue("correlation", claimed.execution().request().correlationId());
    }

    @Override
    public Claimed claimed() {
        return claimed;
    }

    @Override
    public @Nullable Instant deadline() {
        Duration limit = claimed.workflow().policy().timeout();
        return limit == null ? null : claimed.lock().seenAt().plus(limit);
    }

    @Override
    public boolean isCancelled() {
        return why() != null;
    }

    @Override
    public void onCancel(Runnable listener) {
        guard.lock();
        try {
            if (stop == null) {
                cancelListeners.add(listener);
                return;
            }
        } finally {
            guard.unlock();
        }
        listener.run();
    }

    @Override
    public void onLost(Consumer<Loss> listener) {
        Loss already;
        guard.lock();
        try {
            if (!(stop instanceof Stop.Lost(Loss loss))) {
                lossListeners.add(listener);
                return;
            }
            already = loss;
        } finally {
            guard.unlock();
        }
        listener.accept(already);
    }

    @Override
    public void onRenewed(Runnable listener) {
        lock.onRenewed(listener);
    }

    @Override
    public Duration untilEnd() {
        return lock.untilEnd();
    }

    @Override
    public void requireAtLeast(Duration duration) {
        lock.requireAtLeast(duration);
    }

    /** By the store's clock: what it showed when it granted, and what has passed here since. */
    @Override
    public void began() {
        Instant now = claimed.lock().seenAt().plusNanos(ports.ticker().nanos() - claimedAt);
        guard.lock();
        try {
            beganAt = beganAt == null ? now : beganAt;
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void progress(String text) {
        output.progress(text);
    }

    @Override
    public void log(LogStore.Stream stream, byte[] bytes) {
        output.print(stream, bytes);
    }

    @Override
    public void exited(int code) throws WorkFailed {
        exit = code;
        if (code == 0) {
            return;
        }
        String message = "The command ended with exit code " + code + ".";
        throw claimed.workflow().transientExits().contains(code)
                ? new Transient("EXIT_" + code, message)
                : new Permanent("EXIT_" + code, message);
    }
}

package dev.interlock.cli;

import dev.interlock.core.DurationText;
import dev.interlock.core.HeldLock;
import dev.interlock.core.HeldSet;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Loss;
import dev.interlock.core.Lost;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.supervise.BootTime;
import dev.interlock.supervise.Ended;
import dev.interlock.supervise.Supervised;
import dev.interlock.supervise.Supervisor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A command under its locks, from its start until nothing of it is left. Only then are the locks given back. When one of
 * them is lost the command is stopped, before its lease ends in the store.
 */
final class Supervision {
    private static final int TERMINATED = 143;

    /** So much sooner than the guard, which would stop the command for the same reason but cannot tell it. */
    private static final Duration SOONER = Duration.ofMillis(500);

    private final Session session;
    private final RunPlan plan;
    private final Locks locks;
    private final HeldSet held;
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    private final CompletableFuture<Boolean> lossTold = new CompletableFuture<>();
    private volatile boolean timedOut;
    private volatile boolean over;

    Supervision(Session session, RunPlan plan, Locks locks, HeldSet held) {
        this.session = session;
        this.plan = plan;
        this.locks = locks;
        this.held = held;
    }

    int run(Supervisor supervisor) {
        Supervised running;
        try {
            running = supervisor.start(
                    CommandEnvironment.command(plan, held, session.stores().concealed()), deadline());
        } catch (IllegalStateException e) {
            release();
            return session.say(Exit.INTERNAL, e.getMessage() + " The command was not started.");
        }
        for (HeldLock lock : held.locks()) {
            lock.onRenewed(() -> running.aliveUntil(deadline()));
            lock.onLost(why -> lost(lock.name(), why, running));
        }
        running.aliveUntil(deadline()); // the lease may have been renewed before anybody listened
        limit(running);
        try {
            Ended ended = running.waitFor();
            over = true; // what happens to the lock from now on has not touched the command
            return end(ended);
        } catch (IllegalStateException e) {
            return session.say(
                    Exit.INTERNAL, e.getMessage() + " The locks are not given back; they end with their lease.");
        }
    }

    /** Counted from before the last confirmed renewal was sent; the boot clock is read first, so it is never too late. */
    private BootTime deadline() {
        BootTime now = BootTime.now();
        Duration left = held.locks().getFirst().untilEnd();
        for (HeldLock lock : held.locks()) {
            left = lock.untilEnd().compareTo(left) < 0 ? lock.untilEnd() : left;
        }
        return now.plus(left).minus(plan.margin());
    }

    private void limit(Supervised running) {
        Duration timeout = plan.timeout();
        if (timeout != null) {
            after(timeout, () -> timedOut(timeout, running));
        }
        Duration maxHold = plan.options().terms().maxHold();
        if (maxHold != null) {
            Duration usable = maxHold.minus(plan.grace()).minus(plan.margin()).minus(SOONER);
            LockName name = held.locks().getFirst().name();
            after(usable, () -> lost(name, Loss.Cause.HELD_TOO_LONG, running));
        }
    }

    private void after(Duration delay, Runnable work) {
        session.ports().timers().after(delay, () -> session.ports().tasks().start("interlock-limit", work));
    }

    private void timedOut(Duration timeout, Supervised running) {
        if (over) {
            return;
        }
        timedOut = true;
        running.stop();
        session.talk()
                .complain("The command has run for " + DurationText.show(timeout)
                        + ", as long as --timeout allows: it is stopped.");
    }

    /** Stops first and talks afterwards: an error stream that nobody reads must not keep the command alive. */
    private void lost(LockName name, Loss why, Supervised running) {
        if (!over && loss.compareAndSet(null, why)) {
            running.stop();
            tell(name, why);
            lossTold.complete(true);
        }
    }

    private void tell(LockName name, Loss why) {
        session.talk().complain("Lost lock '" + name + "': " + why.sentence() + ". The command is stopped.");
    }

    private int end(Ended ended) {
        if (ended.aftermath().late() && loss.compareAndSet(null, Loss.Cause.UNCONFIRMED)) {
            tell(held.locks().getFirst().name(), Loss.Cause.UNCONFIRMED);
            lossTold.complete(true);
        }
        if (ended.aftermath().alive() > 0) {
            session.talk()
                    .complain(
                            ended.aftermath().alive() + " processes of the command cannot be stopped: they are another"
                                    + " user's, or hang in the kernel. The locks are not given back; they end with their lease.");
        } else {
            release();
        }
        return code(ended);
    }

    private void release() {
        for (HeldLock lock : held.locks().reversed()) {
            try {
                if (lock.release() instanceof Lost(Loss why, var _) && loss.get() == null) {
                    session.talk()
                            .complain("Lock '" + lock.name() + "' had been lost when the command was over: "
                                    + why.sentence() + ".");
                }
            } catch (StoreUnavailable e) {
                session.talk()
                        .complain("Lock '" + lock.name() + "' could not be given back and ends with its lease: "
                                + e.getMessage());
            }
        }
        locks.close();
        if (plan.verbose()) {
            session.talk().say("Nothing of the command is left; the locks are given back.");
        }
    }

    private int code(Ended ended) {
        if (loss.get() != null) {
            waitUntilTold();
            return Exit.LOST;
        }
        int left = ended.aftermath().leftBehind();
        if (left > 0 && !timedOut) {
            session.talk()
                    .say("Ended " + left + (left == 1 ? " process" : " processes")
                            + " that the command had left behind: nothing may go on without the lock.");
        }
        return switch (ended) {
            case Ended.NotStarted(int status, String sentence) -> session.say(status, sentence + ".");
            case Ended.Exited exited -> timedOut ? TERMINATED : exited.status();
            case Ended.Signalled died -> timedOut ? died.status() : session.dieOf(died.signal());
        };
    }

    private void waitUntilTold() {
        try {
            lossTold.completeOnTimeout(false, 1, TimeUnit.SECONDS).join();
        } catch (RuntimeException e) {
            throw new AssertionError("this future never fails", e);
        }
    }
}

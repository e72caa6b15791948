package dev.interlock.cli;

import dev.interlock.core.Locks;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the user interrupts while a lock is asked or waited for: everything is given back, and no word of
 * ours follows, since whatever the interrupted work then runs into is no news to anybody.
 */
final class Leaving {
    /** Whoever presses Ctrl-C because the store does not answer must not wait for its answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Thread hook = new Thread(this::leave, "interlock-leave");
    private @Nullable Runnable giveBack;
    private boolean left;

    /** From now on these are given back. */
    synchronized void giveBack(Locks asked) {
        giveBack = asked::close;
    }

    /** Watches for the end of this process by a signal, for commands that leave signals to the JVM. */
    void watch(Locks asked) {
        watch(asked::close);
    }

    void watch(Runnable giving) {
        synchronized (this) {
            giveBack = giving;
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    synchronized void leave() {
        left = true;
        if (giveBack != null) {
            Thread closing =
                    Thread.ofPlatform().daemon().name("interlock-give-back").start(giveBack);
            try {
                closing.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Nothing is to be given back any more. Does not return once the user has interrupted: this process is ending. */
    void done() {
        synchronized (this) {
            giveBack = null;
            if (!left) {
                forget();
                return;
            }
        }
        while (true) {
            LockSupport.park(this);
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // Then the hook finds nothing to give back.
        }
    }
}

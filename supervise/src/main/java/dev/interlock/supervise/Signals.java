package dev.interlock.supervise;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Hands the signals sent to this process on to the command, each once. */
abstract sealed class Signals permits ExactSignals, PortableSignals, NoSignals {
    static final int HUP = 1;
    static final int INT = 2;
    static final int QUIT = 3;
    private static final long AT_ONCE = 50_000_000;

    private final IntConsumer beforeStart;
    private final boolean terminal;
    private boolean started;
    private @Nullable Child command;
    private int last;
    private long lastAt;

    Signals(IntConsumer beforeStart, boolean terminal) {
        this.beforeStart = beforeStart;
        this.terminal = terminal;
    }

    /** Begins to listen. Returns the signals, bit n - 1 for n, that must be set to default in the command. */
    abstract long listen();

    abstract String mechanism();

    /**
     * To be called by who has held this monitor since before the start of the command: a signal that came meanwhile is
     * handed on now. Null if the command could not be started.
     */
    synchronized void startedWith(@Nullable Child child) {
        started = true;
        command = child;
    }

    /** @param fromKeyboard whether the whole foreground group has got it from the kernel, the command among it */
    synchronized void arrived(int signal, boolean fromKeyboard) {
        if (!started) {
            beforeStart.accept(signal);
        } else if (command != null && !fromKeyboard && !isOfHangUp(signal) && !isRepeated(signal)) {
            command.signal(signal);
        }
    }

    /** When a terminal goes, the shell tells the whole group. */
    private boolean isOfHangUp(int signal) {
        return signal == HUP && terminal && Terminal.hasHungUp();
    }

    /** As timeout(1) does: it signals its child, and then its whole group. */
    private boolean isRepeated(int signal) {
        long now = System.nanoTime();
        boolean repeated = signal == last && now - lastAt < AT_ONCE;
        last = signal;
        lastAt = now;
        return repeated;
    }
}

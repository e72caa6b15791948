package dev.interlock.supervise;

import java.util.function.IntConsumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Signals taken through the JVM, which keeps SIGQUIT for itself and does not say who sent them. */
final class PortableSignals extends Signals implements SignalHandler {
    private static final int SIG_IGN = 1;

    PortableSignals(IntConsumer beforeStart, boolean terminal) {
        super(beforeStart, terminal);
    }

    @Override
    long listen() {
        boolean interruptible = take("INT");
        take("TERM");
        take("HUP");
        take("USR1");
        take("USR2");
        // The JVM would print its threads on the command's output. A shell that ignores one of INT and QUIT ignores
        // both.
        Libc.call("signal", QUIT, SIG_IGN);
        return interruptible ? 1L << (QUIT - 1) : 0;
    }

    @Override
    String mechanism() {
        return "signals are handed on as far as the JVM shows them, which is not SIGQUIT";
    }

    @Override
    public void handle(Signal signal) {
        int number = signal.getNumber();
        arrived(number, number == INT && Terminal.isOurs());
    }

    /** False if the signal is ignored, as HUP is under nohup; it stays so. */
    private boolean take(String name) {
        try {
            Signal signal = new Signal(name);
            SignalHandler before = Signal.handle(signal, this);
            boolean ignored = before.equals(SignalHandler.SIG_IGN);
            if (ignored) {
                Signal.handle(signal, before);
            }
            return !ignored;
        } catch (IllegalArgumentException keptByTheJvm) {
            return true;
        }
    }
}

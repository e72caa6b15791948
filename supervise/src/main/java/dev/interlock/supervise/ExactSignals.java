package dev.interlock.supervise;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/**
 * Signals taken by sigwaitinfo, which tells a key from a kill. It needs a JVM that was started with these signals blocked
 * and leaves them alone: {@code env --block-signal=HUP,INT,QUIT,TERM,USR1,USR2 _JAVA_SR_SIGNUM=40 java -Xrs
 * -XX:+DisableAttachMechanism}.
 */
final class ExactSignals extends Signals implements Runnable {
    /** Moves the JVM's own use of SIGUSR2 to another signal; not meant for a JVM the command may start. */
    static final String VARIABLE = "_JAVA_SR_SIGNUM";

    /** HUP, INT, QUIT, USR1, USR2, TERM. */
    private static final long ALL = 1 | 1 << 1 | 1 << 2 | 1 << 9 | 1 << 11 | 1 << 14;

    private static final int SENT_BY_KERNEL = 0x80;

    private final long taken;

    ExactSignals(IntConsumer beforeStart, boolean terminal) {
        super(beforeStart, terminal);
        taken = ALL & ~Proc.signals(Proc.text("/proc/self/status"), "SigIgn");
    }

    static boolean arePossible() {
        if (Os.HERE != Os.LINUX) {
            return false;
        }
        String status = Proc.text("/proc/self/status");
        return (Proc.signals(status, "SigBlk") & ALL) == ALL && (Proc.signals(status, "SigCgt") & ALL) == 0;
    }

    @Override
    long listen() {
        Thread thread = new Thread(this, "interlock-signals");
        thread.setDaemon(true);
        thread.start();
        return 0;
    }

    @Override
    String mechanism() {
        return "signals are handed on exactly";
    }

    @Override
    public void run() {
        try (Memory memory = new Memory()) {
            ByteBuffer set = memory.block(128);
            ByteBuffer info = memory.block(128);
            set.putLong(0, taken);
            while (true) {
                int signal = Libc.call("sigwaitinfo", Memory.address(set), Memory.address(info));
                if (signal > 0) {
                    arrived(signal, info.getInt(8) == SENT_BY_KERNEL);
                }
            }
        }
    }
}

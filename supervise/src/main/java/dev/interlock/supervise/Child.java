package dev.interlock.supervise;

import java.nio.ByteBuffer;

/** A process this one started. Its pid is its own until it is reaped, and no signal is sent to it after that. */
final class Child {
    static final int KILL = 9;
    private static final int P_PID = 1;
    private static final int WEXITED = 4;

    final int pid;
    private boolean reaped;

    Child(int pid) {
        this.pid = pid;
    }

    /** Waits until the process is dead, and leaves it to be reaped. */
    void awaitEnd() {
        try (Memory memory = new Memory()) {
            long info = Memory.address(memory.block(128));
            int attempt = 0;
            while (!isReaped() && Libc.call("waitid", P_PID, pid, info, WEXITED | Os.HERE.noWait, 0, 0) != 0) {
                waitAgain(++attempt);
            }
        }
    }

    /** Takes the dead process away and says how it ended, as wait(2) encodes it. */
    synchronized int reap() {
        reaped = true;
        try (Memory memory = new Memory()) {
            ByteBuffer status = memory.block(4);
            int attempt = 0;
            while (Libc.call("waitpid", pid, Memory.address(status), 0) != pid) {
                waitAgain(++attempt);
            }
            return status.getInt(0);
        }
    }

    /** A signal of the JVM's own may interrupt a wait, now and then. */
    private void waitAgain(int attempt) {
        if (attempt == 1000) {
            throw new IllegalStateException("Process " + pid + " cannot be waited for.");
        }
    }

    synchronized void signal(int signal) {
        if (!reaped) {
            Libc.call("kill", pid, signal);
        }
    }

    /** For a process that leads a group of its own. */
    synchronized void signalGroup(int signal) {
        if (!reaped) {
            Libc.call("kill", -pid, signal);
        }
    }

    private synchronized boolean isReaped() {
        return reaped;
    }
}

package dev.interlock.supervise;

import java.io.File;

/** The numbers that differ between the systems we run on. */
enum Os {
    LINUX(0x80, 0x0100_0000, 2, 17, 18, 0x401),
    MAC(0x400, 0x20, 3, 20, 19, 0x9);

    static final Os HERE = here();

    /** Flag of posix_spawn: a session of its own. */
    final int setSession;

    /** Option of waitid: leave the dead child where it is. */
    final int noWait;

    /** Of pthread_sigmask: this mask and no other. */
    final int setMask;

    final int sigChild;

    final int sigContinue;

    /** Of open: write, and at the end. */
    final int append;

    Os(int setSession, int noWait, int setMask, int sigChild, int sigContinue, int append) {
        this.setSession = setSession;
        this.noWait = noWait;
        this.setMask = setMask;
        this.sigChild = sigChild;
        this.sigContinue = sigContinue;
        this.append = append;
    }

    private static Os here() {
        String name = System.getProperty("os.name", "");
        if (name.startsWith("Mac")) {
            return MAC;
        }
        if (!name.equals("Linux")) {
            throw new UnsupportedOperationException(
                    "Commands are supervised on Linux and macOS only: " + name + " has no way to find a process tree.");
        }
        if (!new File("/proc/self/limits").exists()) {
            throw new UnsupportedOperationException("Commands cannot be supervised here: /proc is not mounted.");
        }
        return LINUX;
    }
}

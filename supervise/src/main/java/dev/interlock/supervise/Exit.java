package dev.interlock.supervise;

/**
 * Ends this JVM at once. System.exit and halt wait 300 ms for threads that are in native calls, as ours are while they wait
 * for signals and processes.
 */
public final class Exit {
    private static final int RLIMIT_CORE = 4;
    private static final int SIG_DFL = 0;

    private Exit() {}

    /** Without shutdown hooks; what was printed is flushed. */
    public static void with(int code) {
        System.out.flush();
        System.err.flush();
        Libc.call("_exit", code);
    }

    /** Dies of the signal, so that a calling shell script stops at Ctrl-C; as pid 1, which cannot, exits with 128 + n. */
    public static void by(int signal) {
        System.out.flush();
        System.err.flush();
        try (Memory memory = new Memory()) {
            long nothing = Memory.address(memory.block(128));
            Libc.call("setrlimit", RLIMIT_CORE, nothing);
            Libc.call("signal", signal, SIG_DFL);
            Libc.call("pthread_sigmask", Os.HERE.setMask, nothing, 0);
            Libc.call("raise", signal); // to this thread: another one may be waiting for the signal
        }
        with(128 + signal);
    }

    /** As the command ended. */
    public static void as(Ended ended) {
        if (ended instanceof Ended.Signalled died) {
            by(died.signal());
        }
        with(ended.status());
    }
}

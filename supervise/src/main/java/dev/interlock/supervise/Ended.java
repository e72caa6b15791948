package dev.interlock.supervise;

/** How a command ended, and what became of the processes it started. */
public sealed interface Ended {

    /** What a shell would show as {@code $?}. */
    int status();

    Aftermath aftermath();

    /** The command exited by itself. */
    record Exited(int code, Aftermath aftermath) implements Ended {
        @Override
        public int status() {
            return code;
        }
    }

    /** The command died of a signal. */
    record Signalled(int signal, Aftermath aftermath) implements Ended {
        @Override
        public int status() {
            return 128 + signal;
        }
    }

    /** The command was never started: not found (127) or not executable (126). The sentence says which. */
    record NotStarted(int status, String sentence) implements Ended {
        @Override
        public Aftermath aftermath() {
            return Aftermath.NOTHING;
        }
    }

    /**
     * The rest of the tree when the command had ended.
     *
     * @param leftBehind how many processes the command had left behind; they were killed
     * @param alive how many of them could not be killed: they are another user's, or hang in the kernel. While there are
     *     any, the lock must not be released
     * @param late whether the deadline came before the command's end, so that it was stopped for it
     */
    record Aftermath(int leftBehind, int alive, boolean late) {
        static final Aftermath NOTHING = new Aftermath(0, 0, false);
    }
}

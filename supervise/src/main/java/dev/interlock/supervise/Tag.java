package dev.interlock.supervise;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The number by which the processes of one run are known. It is their soft limit of file locks, which the kernel has
 * ignored since Linux 2.4.25 but hands to every descendant and shows to everybody, and it is in their environment.
 */
record Tag(long number) {
    static final String VARIABLE = "INTERLOCK_RUN_ID";

    private static final int RLIMIT_LOCKS = 10;
    private static final long LEAST = 100_000_000_000_000_000L;

    static Tag fresh() {
        try (FileInputStream random = new FileInputStream("/dev/urandom")) {
            long bits = 0;
            for (int i = 0; i < 8; i++) {
                bits = bits << 8 | random.read();
            }
            return new Tag(LEAST + (bits >>> 1) % (9 * LEAST));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }

    /** Sets this process's own limit, which what it starts inherits, and returns the one to put back. */
    long put() {
        return changeLimit(number);
    }

    static void putBack(long limit) {
        changeLimit(limit);
    }

    /** Whether a limit that is set is also shown: not so where the hard limit is low, or the kernel is an imitation. */
    boolean isShown() {
        return Proc.text("/proc/self/limits").contains(" " + number + " ");
    }

    private static long changeLimit(long soft) {
        if (Os.HERE != Os.LINUX) {
            return 0;
        }
        try (Memory memory = new Memory()) {
            ByteBuffer limits = memory.block(16);
            Libc.call("getrlimit", RLIMIT_LOCKS, Memory.address(limits));
            long before = limits.getLong(0);
            limits.putLong(0, soft);
            Libc.call("setrlimit", RLIMIT_LOCKS, Memory.address(limits));
            return before;
        }
    }
}

package dev.interlock.supervise;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** One call of posix_spawnp. ProcessBuilder would close descriptors, change argument bytes and hide errno. */
final class Spawn implements AutoCloseable {
    static final int O_RDONLY = 0;

    private static final int SETPGROUP = 2;
    private static final int SETSIGDEF = 4;
    private static final int SETSIGMASK = 8;
    private static final int MAC_CLOEXEC_DEFAULT = 0x4000;

    private final Memory memory = new Memory();
    private final long attributes = Memory.address(memory.block(1024));
    private final long actions = Memory.address(memory.block(1024));
    private int flags = SETSIGDEF | SETSIGMASK;

    Spawn() {
        Libc.call("posix_spawnattr_init", attributes);
        Libc.call("posix_spawnattr_setsigmask", attributes, set(0));
        Libc.call("posix_spawn_file_actions_init", actions);
    }

    Memory memory() {
        return memory;
    }

    Spawn inSessionOfItsOwn() {
        flags |= Os.HERE.setSession;
        return this;
    }

    Spawn inGroupOfItsOwn() {
        flags |= SETPGROUP;
        return this;
    }

    /** Bit n - 1 stands for signal n. */
    Spawn withDefaultSignals(long signals) {
        Libc.call("posix_spawnattr_setsigdefault", attributes, set(signals));
        return this;
    }

    Spawn copy(int from, int to) {
        Libc.call("posix_spawn_file_actions_adddup2", actions, from, to);
        return this;
    }

    Spawn open(int fd, String file, int openFlags) {
        Libc.call("posix_spawn_file_actions_addopen", actions, fd, memory.text(file), openFlags, 0, 0);
        return this;
    }

    /** Closes all others in the new process. To be said last. */
    Spawn keeping(BitSet kept) {
        if (Os.HERE == Os.MAC) {
            flags |= MAC_CLOEXEC_DEFAULT;
            for (int fd = kept.nextSetBit(0); fd >= 0; fd = kept.nextSetBit(fd + 1)) {
                Libc.call("posix_spawn_file_actions_addinherit_np", actions, fd);
            }
            return this;
        }
        BitSet closed = Descriptors.open();
        closed.andNot(kept);
        for (int fd = closed.nextSetBit(0); fd >= 0; fd = closed.nextSetBit(fd + 1)) {
            Libc.call("posix_spawn_file_actions_addclose", actions, fd);
        }
        // Against what another thread opens meanwhile; since glibc 2.34.
        if (Libc.has("posix_spawn_file_actions_addclosefrom_np")) {
            Libc.call("posix_spawn_file_actions_addclosefrom_np", actions, kept.length());
        }
        return this;
    }

    /** The pid of the new process, or an errno below zero. */
    int start(long words, long environment) {
        synchronized (Spawn.class) {
            return spawn(words, environment);
        }
    }

    /** The same for a process that bears this tag. As this process bears it meanwhile, no other may be started. */
    int start(long words, long environment, Tag tag) {
        synchronized (Spawn.class) {
            long before = tag.put();
            try {
                return spawn(words, environment);
            } finally {
                Tag.putBack(before);
            }
        }
    }

    static synchronized boolean canTag() {
        Tag tag = Tag.fresh();
        long before = tag.put();
        try {
            return tag.isShown();
        } finally {
            Tag.putBack(before);
        }
    }

    private int spawn(long words, long environment) {
        ByteBuffer pid = memory.block(4);
        Libc.call("posix_spawnattr_setflags", attributes, flags);
        int errno = Libc.call(
                "posix_spawnp",
                Memory.address(pid),
                Memory.at(words).getLong(0),
                actions,
                attributes,
                words,
                environment);
        return errno == 0 ? pid.getInt(0) : -errno;
    }

    @Override
    public void close() {
        Libc.call("posix_spawn_file_actions_destroy", actions);
        memory.close();
    }

    private long set(long signals) {
        ByteBuffer set = memory.block(128);
        set.putLong(0, signals);
        return Memory.address(set);
    }
}

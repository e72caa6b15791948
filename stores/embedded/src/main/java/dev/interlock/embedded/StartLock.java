package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Held by the one who starts, stops or upgrades the store. The system lets go of it when its process dies, so there is
 * nothing to clean up after anybody.
 */
final class StartLock implements AutoCloseable {
    // A file lock belongs to the process: two threads would both have it, and the first to close would drop it.
    private static final Map<Path, Semaphore> WITHIN_THIS_PROCESS = new ConcurrentHashMap<>();

    private final Semaphore turn;
    private final FileChannel channel;

    private StartLock(Semaphore turn, FileChannel channel) {
        this.turn = turn;
        this.channel = channel;
    }

    /** Null if another has it. */
    static @Nullable StartLock tryTake(Path file) throws IOException {
        Semaphore turn = WITHIN_THIS_PROCESS.computeIfAbsent(file, path -> new Semaphore(1));
        if (!turn.tryAcquire()) {
            return null;
        }
        StartLock lock = null;
        try {
            lock = tryLock(file, turn);
            return lock;
        } finally {
            if (lock == null) {
                turn.release();
            }
        }
    }

    /** The process id of the holder, as far as it has written it down. */
    static String holder(Path file) {
        try {
            return Files.readString(file, US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static @Nullable StartLock tryLock(Path file, Semaphore turn) throws IOException {
        FileChannel channel = open(file);
        boolean taken = false;
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0)
                        .write(US_ASCII.encode(
                                Long.toString(ProcessHandle.current().pid())));
                taken = true;
            }
            return taken ? new StartLock(turn, channel) : null;
        } catch (OverlappingFileLockException e) {
            return null; // this class was loaded twice into one process
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    /** Never replaced once it is there: a lock is on a file, not on its name. */
    private static FileChannel open(Path file) throws IOException {
        boolean isNew = !Files.exists(file);
        FileChannel channel =
                FileChannel.open(file, Set.of(CREATE, WRITE, NOFOLLOW_LINKS), asFileAttribute(fromString("rw-------")));
        if (isNew) {
            Disk.giveToOwnerOfParent(file);
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        turn.release();
    }
}

package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * What the system knows about a process id. On Linux straight from {@code /proc}: {@link ProcessHandle} takes a zombie
 * for alive, and an orphaned postmaster may stay one for long where PID 1 does not reap.
 */
final class OsProcess {
    /** The start of a process that is not there, or only as a zombie. */
    static final long GONE = -1;

    private static final int START_TIME = 19; // of the fields after the name, counted from the state

    private OsProcess() {}

    /** When the process started, in a unit of the platform: with the id it tells a process from its successors. */
    static long startOf(long pid) {
        Path stat = proc(pid, "stat");
        try {
            return startIn(new String(Files.readAllBytes(stat), ISO_8859_1));
        } catch (IOException e) {
            return hasProc() ? GONE : startByHandle(pid);
        }
    }

    static boolean isAlive(long pid) {
        return startOf(pid) != GONE;
    }

    /** Whether this is the postmaster of that data directory, and not a process that got its id after a reboot. */
    static boolean serves(long pid, Path data) {
        if (!isAlive(pid)) {
            return false;
        }
        List<String> arguments = argumentsOf(pid);
        int directory = arguments.indexOf("-D") + 1;
        return directory > 0
                && directory < arguments.size()
                && arguments.get(directory).equals(data.toString());
    }

    private static List<String> argumentsOf(long pid) {
        try {
            return Arrays.asList(Files.readString(proc(pid, "cmdline"), UTF_8).split("\0", -1));
        } catch (IOException e) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().arguments())
                    .map(Arrays::asList)
                    .orElse(List.of());
        }
    }

    /** "pid (name) state ppid …"; the name may hold blanks and brackets, so it is skipped from the right. */
    private static long startIn(String stat) {
        int from = stat.lastIndexOf(')') + 2;
        char state = stat.charAt(from);
        if (state == 'Z' || state == 'X') {
            return GONE;
        }
        for (int field = 0; field < START_TIME; field++) {
            from = stat.indexOf(' ', from) + 1;
        }
        return Long.parseLong(stat, from, stat.indexOf(' ', from), 10);
    }

    private static long startByHandle(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .map(process ->
                        process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli())
                .orElse(GONE);
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }

    private static boolean hasProc() {
        return Files.exists(Path.of("/proc/self/stat"));
    }
}

package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What tests do to processes. */
final class Processes {
    private Processes() {}

    /** Every server of that data directory, by looking at all processes rather than at what files say. */
    static List<Long> serving(Path data) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> OsProcess.serves(pid, data))
                .toList();
    }

    /** As the system does it to a process that it has no memory for. */
    static void kill(long pid) throws IOException {
        Homes.run("/bin/sh", "-c", "kill -s KILL " + pid);
        if (!Wait.atMost(Duration.ofSeconds(10)).until(() -> !OsProcess.isAlive(pid))) {
            throw new IOException(pid + " survived");
        }
    }
}

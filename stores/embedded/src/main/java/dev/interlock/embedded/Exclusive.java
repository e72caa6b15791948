package dev.interlock.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process of PostgreSQL that is alone with its data directory, and free of whoever starts it. */
final class Exclusive {
    /** The exit code when it is not alone. */
    static final int IN_USE = 75;

    /**
     * In a session of its own it outlives terminal and Ctrl-C, and with the soft limit on file locks put back it does
     * not belong to the tree of an {@code interlock run} around us.
     *
     * <p>Descriptor 9 is inherited by every process of a server, so that its lock lasts until the last one has ended.
     * It also keeps out a second server from another container, where neither process ids nor shared memory show.
     * With the lock in hand an empty postmaster.pid is a leftover; PostgreSQL would stop at it.
     */
    static final String SCRIPT = """
            for o in w x; do ulimit -S -$o "$(ulimit -H -$o)" && break; done 2>/dev/null
            umask 077
            exec 9>>"$0"
            if command -v flock >/dev/null; then
              flock -n 9 || exit 75
              [ -s "$1" ] || rm -f "$1"
            fi
            shift
            if command -v setsid >/dev/null; then exec setsid "$@"; fi
            exec perl -e 'use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV' "$@"
            """;

    private Exclusive() {}

    /**
     * PostgreSQL takes a postmaster.pid for a leftover when it names an ancestor, and trusts pg_ctl to name its
     * grandparent. We name the process, foreign or zombie, that we know is no server; the file stays for PostgreSQL to
     * judge by its shared memory, and to remove.
     */
    static ProcessBuilder prepare(Cluster cluster, List<String> command) throws IOException {
        Disk.file(cluster.lock(), "rw-------");
        List<String> script = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT));
        script.add(cluster.lock().toString());
        script.add(cluster.data().resolve("postmaster.pid").toString());
        script.addAll(command);
        ProcessBuilder process = Command.prepare(cluster.home().path(), script);
        Postmaster.read(cluster.data())
                .ifPresent(old -> process.environment().put("PG_GRANDPARENT_PID", Long.toString(old.pid())));
        return process;
    }

    static EmbeddedUnavailable inUse(Cluster cluster) {
        return new EmbeddedUnavailable(("Processes that cannot be seen from here still use %s; if another container"
                        + " shares it, stop the store there or give this one its own INTERLOCK_HOME.")
                .formatted(cluster.data()));
    }
}

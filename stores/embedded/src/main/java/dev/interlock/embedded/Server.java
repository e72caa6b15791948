package dev.interlock.embedded;

import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Brings up the one server of a cluster: joins it if it runs, waits if it is about to be ready or gone, starts it
 * otherwise. Whoever calls holds the start lock.
 */
final class Server {
    private static final int IN_USE = 75;

    /**
     * Sets the server free of the command that starts it: in a session of its own it outlives terminal and Ctrl-C, and
     * with the soft limit on file locks put back it does not belong to the tree of an {@code interlock run} around us.
     *
     * <p>Descriptor 9 is inherited by all processes of the server, so that its lock lasts until the last one has ended.
     * It also keeps out a second server from another container, where neither process ids nor shared memory show.
     * With the lock in hand an empty postmaster.pid is a leftover; PostgreSQL would stop at it.
     */
    private static final String DETACHED = """
            ulimit -S -w "$(ulimit -H -w 2>/dev/null)" 2>/dev/null || ulimit -S -x "$(ulimit -H -x 2>/dev/null)" 2>/dev/null
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

    private sealed interface Launch {
        record Ready(Postmaster postmaster) implements Launch {}

        record PortTaken() implements Launch {}

        /** Processes of this data directory are still there, or again. */
        record InUse() implements Launch {}

        record Failed(List<String> words) implements Launch {}
    }

    private final Cluster cluster;
    private final Patience patience;
    private final Consumer<String> progress;
    private final ServerLog log;

    Server(Cluster cluster, Patience patience, Consumer<String> progress) {
        this.cluster = cluster;
        this.patience = patience;
        this.progress = progress;
        this.log = cluster.home().log();
    }

    /** On the preferred port, if it is free: clients that outlived a crash then find the server where it was. */
    Postmaster start(Optional<Integer> preferredPort) throws IOException {
        Wait toBeReady = Wait.atMost(patience.toBeReady());
        Wait orphans = Wait.atMost(patience.forOrphans());
        int port = preferredPort.orElseGet(Loopback::freePort);
        while (true) {
            Optional<Postmaster> there = Postmaster.of(cluster.data());
            Optional<Postmaster> ready = there.isPresent() ? awaitReady(there.get()::isAlive, toBeReady) : there;
            if (ready.isPresent()) {
                return ready.get();
            }
            switch (launch(port, toBeReady)) {
                case Launch.Ready(Postmaster postmaster) -> {
                    return postmaster;
                }
                case Launch.PortTaken() -> port = Loopback.freePort();
                case Launch.InUse() -> awaitEnd(orphans);
                case Launch.Failed(List<String> words) ->
                    throw Trouble.with(cluster.home().path(), "Starting PostgreSQL on " + cluster.data(), words);
            }
        }
    }

    private Launch launch(int port, Wait toBeReady) throws IOException {
        progress.accept("Starting PostgreSQL " + cluster.binaries().shortVersion() + "…");
        prepare();
        ServerLog.Mark mark = log.mark();
        Process server = detached(port);
        Optional<Postmaster> ready = awaitReady(server::isAlive, toBeReady);
        return ready.isPresent() ? new Launch.Ready(ready.get()) : failure(server.exitValue(), log.since(mark));
    }

    private void prepare() throws IOException {
        cluster.writeSettings();
        Disk.file(cluster.lock(), "rw-------");
        cluster.account().own(cluster.data());
        Disk.directory(log.directory(), "rwx------");
        cluster.account().own(log.directory());
        log.prune(Instant.now());
    }

    private Process detached(int port) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", DETACHED));
        command.add(cluster.lock().toString());
        command.add(cluster.data().resolve("postmaster.pid").toString());
        command.addAll(cluster.serve(port));
        ProcessBuilder server = Command.prepare(cluster.home().path(), command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.start().toFile());
        // PostgreSQL takes a postmaster.pid for a leftover when it names an ancestor, and trusts pg_ctl to name its
        // grandparent. We name the process, foreign or zombie, that we know is no server; the file stays for
        // PostgreSQL to judge by its shared memory, and to remove.
        Postmaster.read(cluster.data())
                .ifPresent(old -> server.environment().put("PG_GRANDPARENT_PID", Long.toString(old.pid())));
        return server.start();
    }

    private static Launch failure(int exit, List<String> words) {
        String said = String.join("\n", words);
        if (exit == IN_USE || said.contains("already exists") || said.contains("pre-existing shared memory block")) {
            return new Launch.InUse();
        }
        return said.contains("Address already in use") ? new Launch.PortTaken() : new Launch.Failed(words);
    }

    /** None when it ended before it was ready. */
    private Optional<Postmaster> awaitReady(BooleanSupplier alive, Wait wait) throws IOException {
        if (!wait.until(() -> ready().isPresent() || !alive.getAsBoolean())) {
            throw new EmbeddedUnavailable("PostgreSQL on %s was not ready after %d s; its log, %s, ends: %s"
                    .formatted(cluster.data(), wait.patience().toSeconds(), log.current(), Trouble.last(log.lines())));
        }
        return ready();
    }

    private Optional<Postmaster> ready() throws IOException {
        return Postmaster.of(cluster.data()).filter(found -> found.ready() && Loopback.letsIn(found.port()));
    }

    private void awaitEnd(Wait orphans) {
        if (!orphans.pause()) {
            throw new EmbeddedUnavailable(("Processes that cannot be seen from here still use %s; if another container"
                            + " or machine shares it, stop the store there or give this one its own INTERLOCK_HOME.")
                    .formatted(cluster.data()));
        }
    }
}

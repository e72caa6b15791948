package dev.interlock.embedded;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Brings up the one server of a cluster: joins it if it runs, waits if it is about to be ready or gone, starts it
 * otherwise. Whoever calls holds the start lock.
 */
final class Server {
    private sealed interface Launch {
        record Ready(Postmaster postmaster) implements Launch {}

        record PortTaken() implements Launch {}

        /** Processes of this data directory are still there, or again. */
        record InUse() implements Launch {}

        record Failed(List<String> words) implements Launch {}
    }

    private static final Duration FOR_COLLECTOR = Duration.ofSeconds(2);

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
        Optional<Postmaster> ready = join(toBeReady);
        if (ready.isEmpty()) {
            progress.accept("Starting PostgreSQL " + cluster.binaries().shortVersion() + "…");
        }
        while (ready.isEmpty()) {
            switch (launch(port, toBeReady)) {
                case Launch.Ready(Postmaster postmaster) -> ready = Optional.of(postmaster);
                case Launch.PortTaken() -> port = anotherPort(toBeReady);
                case Launch.InUse() -> ready = joinAfterPause(orphans, toBeReady);
                case Launch.Failed(List<String> words) ->
                    throw Trouble.with(cluster.home().path(), "Starting PostgreSQL on " + cluster.data(), words);
            }
        }
        return ready.get();
    }

    private Optional<Postmaster> join(Wait toBeReady) throws IOException {
        Optional<Postmaster> there = Postmaster.of(cluster.data());
        if (there.isEmpty()) {
            return there;
        }
        if (there.get().isStopping()) { // it may be waiting for its clients, and they for a server
            there.get().stop();
        }
        return awaitReady(there.get()::isAlive, toBeReady);
    }

    private Optional<Postmaster> joinAfterPause(Wait orphans, Wait toBeReady) throws IOException {
        if (!orphans.pause()) {
            throw Exclusive.inUse(cluster);
        }
        return join(toBeReady);
    }

    private int anotherPort(Wait toBeReady) throws IOException {
        if (!toBeReady.pause()) {
            throw notReady(toBeReady);
        }
        return Loopback.freePort();
    }

    private Launch launch(int port, Wait toBeReady) throws IOException {
        prepare();
        ServerLog.Mark mark = log.mark();
        Process server = Exclusive.prepare(cluster, cluster.serve(port))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.start().toFile()))
                .start();
        Optional<Postmaster> ready = awaitReady(server::isAlive, toBeReady);
        return ready.isPresent()
                ? new Launch.Ready(ready.get())
                : failure(server.exitValue(), lastWords(server.exitValue(), mark));
    }

    /** The log collector outlives the server by a moment, and only then writes why it ended. */
    private List<String> lastWords(int exit, ServerLog.Mark mark) throws IOException {
        Wait collector = Wait.atMost(FOR_COLLECTOR);
        List<String> words = log.since(mark);
        while (exit != Exclusive.IN_USE
                && words.stream().noneMatch(line -> line.contains("FATAL:"))
                && collector.pause()) {
            words = log.since(mark);
        }
        return words;
    }

    private void prepare() throws IOException {
        cluster.writeSettings();
        cluster.account().own(cluster.data());
        Disk.directory(log.directory(), "rwx------");
        cluster.account().own(log.directory());
        Disk.replace(log.start(), "", "rw-------");
        log.prune(Instant.now());
    }

    private static Launch failure(int exit, List<String> words) {
        String said = String.join("\n", words);
        if (exit == Exclusive.IN_USE
                || said.contains("lock file \"postmaster.pid\" already exists")
                || said.contains("pre-existing shared memory block")) {
            return new Launch.InUse();
        }
        return said.contains("Address already in use") ? new Launch.PortTaken() : new Launch.Failed(words);
    }

    /** None when it ended before it was ready. */
    private Optional<Postmaster> awaitReady(BooleanSupplier alive, Wait wait) throws IOException {
        do {
            Optional<Postmaster> ready = ready();
            if (ready.isPresent() || !alive.getAsBoolean()) {
                return ready;
            }
        } while (wait.pause());
        throw notReady(wait);
    }

    private Optional<Postmaster> ready() throws IOException {
        return Postmaster.of(cluster.data()).filter(found -> found.isReady() && Loopback.letsIn(found.port()));
    }

    private EmbeddedUnavailable notReady(Wait wait) throws IOException {
        return new EmbeddedUnavailable("PostgreSQL on %s was not ready after %d s; its log, %s, ends: %s"
                .formatted(cluster.data(), wait.patience().toSeconds(), log.current(), Trouble.last(log.lines())));
    }
}

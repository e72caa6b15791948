package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Looks after the store in a home; whoever calls holds its start lock. */
final class Keeper {
    private static final int PASSWORD_BYTES = 32;

    private final Home home;
    private final Patience patience;
    private final Consumer<String> progress;
    private final Binaries shipped;

    Keeper(Home home, Patience patience, Consumer<String> progress) {
        this.home = home;
        this.patience = patience;
        this.progress = progress;
        this.shipped = Binaries.shipped(home);
    }

    /** Joins the server that is there, or makes what is missing and starts one; then writes down where it answers. */
    Address start() throws IOException {
        sweep();
        refuseOtherVersions();
        Cluster cluster = new Cluster(home, Account.of(home.path()), unpacked(), home.data(shipped.major()));
        String password = password(cluster);
        if (!Files.isDirectory(cluster.data())) {
            progress.accept("Creating the store in " + cluster.data() + "…");
            Cluster made = Cluster.createAside(home, cluster.account(), shipped, password);
            Disk.publish(made.data(), cluster.data());
        }
        return publish(serve(cluster, lastPort()), password);
    }

    Stop stop() throws IOException {
        Files.deleteIfExists(home.state());
        return stop(home.data(home.major().orElse(shipped.major())));
    }

    Upgrade upgrade(Upgrade.Copy copy) throws IOException {
        sweep();
        int major = home.major().orElse(shipped.major());
        return major < shipped.major() ? migrate(major, copy) : restart();
    }

    /** Newer binaries of one major version serve the same data. */
    private Upgrade restart() throws IOException {
        refuseOtherVersions();
        Optional<Postmaster> running = Postmaster.of(home.data(shipped.major()));
        if (running.isEmpty() || !shipped.isNewerThan(running.get().version())) {
            return new Upgrade.UpToDate(shipped.version());
        }
        String from = running.get().version();
        stop();
        return new Upgrade.Restarted(from, shipped.version(), start());
    }

    /**
     * Both servers run unseen by others while the copy is made. One rename then makes the new data directory the store;
     * until that moment the old one is, and whatever dies leaves no more than a partial directory.
     */
    private Upgrade migrate(int major, Upgrade.Copy copy) throws IOException {
        Binaries former = Binaries.ofMajor(home, major)
                .orElseThrow(() -> new EmbeddedUnavailable(
                        ("The upgrade needs the binaries of PostgreSQL %d, and %s has none; run the Interlock that made"
                                        + " the store once, then repeat.")
                                .formatted(major, home.binaries())));
        stop();
        Account account = Account.of(home.path());
        Cluster from = new Cluster(home, account, former, home.data(major));
        String password = password(from);
        Cluster to = Cluster.createAside(home, account, unpacked(), password);
        try {
            copy(from, to, password, copy);
        } catch (EmbeddedUnavailable e) {
            sweep();
            throw e;
        }
        Disk.publish(to.data(), home.data(shipped.major()));
        return new Upgrade.Migrated(former.version(), shipped.version(), from.data(), start());
    }

    private void copy(Cluster from, Cluster to, String password, Upgrade.Copy copy) throws IOException {
        try {
            int source = serve(from, Optional.empty()).port();
            int target = serve(to, Optional.empty()).port();
            copy.copy(new Address(source, password), new Address(target, password));
        } catch (EmbeddedUnavailable e) {
            throw e;
        } catch (Exception e) {
            throw new EmbeddedUnavailable(
                    "Copying the store from %s failed (%s); it is as it was.".formatted(from.data(), e.getMessage()),
                    e);
        } finally {
            stop(from.data());
            stop(to.data());
        }
    }

    private static Stop stop(Path data) throws IOException {
        Optional<Postmaster> running = Postmaster.of(data);
        return running.isPresent() ? running.get().stop() : new Stop.NotRunning();
    }

    private Postmaster serve(Cluster cluster, Optional<Integer> port) throws IOException {
        return new Server(cluster, patience, progress).start(port);
    }

    private Address publish(Postmaster server, String password) throws IOException {
        State state =
                new State(server.port(), server.pid(), OsProcess.startOf(server.pid()), server.version(), password);
        Disk.replace(home.state(), state.text(), "rw-------");
        return state.address();
    }

    private Optional<Integer> lastPort() {
        return Optional.ofNullable(State.read(home.state())).map(State::port);
    }

    private Binaries unpacked() throws IOException {
        if (!shipped.areUnpacked()) {
            progress.accept("Unpacking PostgreSQL " + shipped.shortVersion() + " (once)…");
            shipped.unpack();
        }
        return shipped;
    }

    /** Made once; made anew, in the data directory too, should the file be lost. */
    private String password(Cluster cluster) throws IOException {
        if (Files.exists(home.password())) {
            return Files.readString(home.password()).strip();
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        if (Files.isDirectory(cluster.data())) {
            stop();
            cluster.changePassword(password);
        }
        Disk.replace(home.password(), password + "\n", "rw-------");
        return password;
    }

    private void refuseOtherVersions() throws IOException {
        OptionalInt major = home.major();
        if (major.isEmpty()) {
            return;
        }
        Path data = home.data(major.getAsInt());
        String written = Files.readString(data.resolve("PG_VERSION")).strip();
        if (!written.equals(Integer.toString(major.getAsInt()))) {
            throw new EmbeddedUnavailable(
                    "The data directory %s is damaged, its PG_VERSION says %s; put a backup of it in its place."
                            .formatted(data, written));
        }
        if (major.getAsInt() != shipped.major()) {
            throw new EmbeddedUnavailable(
                    "The data directory %s was made by PostgreSQL %d, this Interlock ships %d; %s."
                            .formatted(data, major.getAsInt(), shipped.major(), remedy(major.getAsInt())));
        }
    }

    private String remedy(int major) {
        return major < shipped.major() ? "run: interlock store upgrade" : "use the newer Interlock that made it";
    }

    private static void abort(Optional<Postmaster> forgotten) throws IOException {
        if (forgotten.isPresent()) {
            forgotten.get().abort();
        }
    }

    /** Throws away what starters and upgraders left half made when they were killed. */
    private void sweep() throws IOException {
        for (Path partial : home.partials()) {
            if (Files.isDirectory(partial)) {
                abort(Postmaster.of(partial));
            }
            try {
                Disk.delete(partial);
            } catch (DirectoryNotEmptyException e) {
                progress.accept("Leaving " + partial + " for the next start to remove.");
            }
        }
    }
}

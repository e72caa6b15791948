package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The store when none is configured: a PostgreSQL of the user's own, in a directory of the user's, that the first
 * command to need it starts and leaves running for the next.
 *
 * <p>{@link #address()} costs two small reads while it runs. Whoever cannot connect there calls {@link #recover}, and
 * connects once more:
 *
 * <pre>{@code
 * Address address = store.address();
 * try {
 *     return connect(address);
 * } catch (SQLException refused) {
 *     return connect(store.recover(address));
 * }
 * }</pre>
 *
 * Every method may be called by any number of processes and threads at once. What goes wrong with the machine is an
 * {@link EmbeddedUnavailable} with a sentence for the user.
 */
public final class EmbeddedPostgres {
    private final Path path;
    private final Patience patience;
    private final Consumer<String> progress;

    /** Progress is told in short lines, and only when something takes its time: at first use and at a start. */
    public EmbeddedPostgres(Path home, Consumer<String> progress) {
        this(home, Patience.USUAL, progress);
    }

    EmbeddedPostgres(Path home, Patience patience, Consumer<String> progress) {
        this.path = home;
        this.patience = patience;
        this.progress = progress;
    }

    /** The version that is started, here and from now on; what runs may be older until it is upgraded. */
    public static String shippedVersion() {
        return Binaries.shippedVersion();
    }

    /** Where the store answers; it is created and started if need be. */
    public Address address() {
        State running = State.ofRunning(path.resolve(Home.STATE));
        return running != null ? running.address() : join(state -> true);
    }

    /** Where the store answers, after a connection to this address failed; it lets clients in when this returns. */
    public Address recover(Address failed) {
        return join(state -> !state.address().equals(failed));
    }

    public Status status() {
        return asking(() -> {
            if (!Files.isDirectory(path)) {
                return new Status.Absent(path);
            }
            Home home = new Home(path.toRealPath());
            OptionalInt major = home.major();
            return major.isPresent() ? status(home, home.data(major.getAsInt())) : new Status.Absent(path);
        });
    }

    /** Cuts all sessions, waits until everything is written and the server has ended. */
    public Stop stop() {
        return asking(
                () -> Files.isDirectory(path) ? exclusively(Optional::empty, Keeper::stop) : new Stop.NotRunning());
    }

    /** Brings the store to the shipped version; the copy is asked for only between major versions. */
    public Upgrade upgrade(Upgrade.Copy copy) {
        return asking(() -> exclusively(Optional::empty, keeper -> keeper.upgrade(copy)));
    }

    private Address join(Predicate<State> acceptable) {
        Path file = path.resolve(Home.STATE);
        return asking(() -> exclusively(
                () -> Optional.ofNullable(State.ofRunning(file))
                        .filter(acceptable)
                        .map(State::address),
                Keeper::start));
    }

    /** Waits for its turn, but no longer than until the answer is there without it. */
    private <T> T exclusively(Supplier<Optional<T>> answer, Work<T> work) throws IOException {
        Home home = Home.open(path);
        Wait wait = Wait.atMost(patience.forOthers());
        do {
            Optional<T> known = answer.get();
            if (known.isPresent()) {
                return known.get();
            }
            try (StartLock lock = StartLock.tryTake(home.startLock())) {
                if (lock != null) {
                    known = answer.get();
                    return known.isPresent() ? known.get() : work.with(new Keeper(home, patience, progress));
                }
            }
        } while (wait.pause());
        throw new EmbeddedUnavailable(("Process %s has been starting, stopping or upgrading the store in %s for %d s;"
                        + " look at it, then run the command again.")
                .formatted(
                        StartLock.holder(home.startLock()),
                        home.path(),
                        patience.forOthers().toSeconds()));
    }

    private static Status status(Home home, Path data) throws IOException {
        Optional<Postmaster> running = Postmaster.of(data);
        Path log = home.log().current();
        if (running.isEmpty()) {
            return new Status.Stopped(data.getFileName().toString(), data, Disk.size(data), log);
        }
        Postmaster server = running.get();
        return new Status.Running(
                server.pid(), server.port(), server.version(), server.since(), data, Disk.size(data), log);
    }

    private interface Work<T> {
        T with(Keeper keeper) throws IOException;
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private <T> T asking(Question<T> question) {
        try {
            return question.ask();
        } catch (IOException e) {
            throw Trouble.with(path, e);
        }
    }
}

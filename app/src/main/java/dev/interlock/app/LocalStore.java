package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.work.WorkStores;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import dev.interlock.embedded.EmbeddedUnavailable;
import dev.interlock.embedded.Status;
import dev.interlock.embedded.Stop;
import dev.interlock.embedded.Upgrade;
import dev.interlock.postgres.PostgresAudit;
import dev.interlock.postgres.PostgresLockStore;
import dev.interlock.postgres.PostgresSchema;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL that Interlock keeps on this machine: server and schema are both ours. */
final class LocalStore implements ConfiguredStore {
    private final Path home;
    private final Ports ports;

    LocalStore(Path home, Ports ports) {
        this.home = home;
        this.ports = ports;
    }

    @Override
    public PostgresLockStore open(Consumer<String> notices) {
        EmbeddedPostgres postgres = new EmbeddedPostgres(home, notices);
        Address address = asking(postgres::address);
        try {
            return open(address);
        } catch (StoreUnavailable e) {
            if (e.kind() != StoreUnavailable.Kind.UNREACHABLE) {
                throw e;
            }
        }
        return open(asking(() -> postgres.recover(address)));
    }

    /** The schema is asked for only when it turns out to be missing or old: looking takes longer than all the rest. */
    private PostgresLockStore open(Address address) {
        try {
            return PostgresLockStore.open(Database.at(address), ports);
        } catch (StoreUnavailable e) {
            if (e.kind() != StoreUnavailable.Kind.MISCONFIGURED) {
                throw e;
            }
        }
        PostgresSchema.migrate(Database.at(address));
        return PostgresLockStore.open(Database.at(address), ports);
    }

    @Override
    public PostgresAudit audit(Consumer<String> notices) {
        open(notices).close();
        return new PostgresAudit(Database.at(asking(() -> postgres().address())));
    }

    @Override
    public WorkStores work(Consumer<String> notices) {
        return open(notices).work();
    }

    @Override
    public String describe() {
        return "the store on this machine (" + home + ")";
    }

    @Override
    public void examine(Consumer<Finding> findings) {
        Address address = asking(() -> postgres().address());
        HomeCheck.run(home, findings);
        new Examination(Database.at(address), findings).run();
    }

    @Override
    public StoreState state() {
        return switch (asking(() -> postgres().status())) {
            case Status.Running running ->
                state(
                        "running",
                        running.version(),
                        new StoreState.Local(
                                home,
                                running.pid(),
                                (long) running.port(),
                                running.since(),
                                running.data(),
                                running.bytes(),
                                running.log()));
            case Status.Stopped(String version, Path data, long bytes, Path log) ->
                state("stopped", version, new StoreState.Local(home, null, null, null, data, bytes, log));
            case Status.Absent(Path nowhere) ->
                state("absent", null, new StoreState.Local(nowhere, null, null, null, null, null, null));
        };
    }

    private StoreState state(String status, @Nullable String version, StoreState.Local local) {
        return new StoreState(status, "on this machine", version, local);
    }

    @Override
    public String stop() {
        return switch (asking(() -> postgres().stop())) {
            case Stop.Clean clean -> "Stopped " + describe() + ".";
            case Stop.Forced forced ->
                "Stopped " + describe()
                        + " by force, since it did not stop in time. Nothing is lost; the next start takes"
                        + " a little longer.";
            case Stop.NotRunning idle -> "The store on this machine does not run (" + home + ").";
        };
    }

    @Override
    public String recover(Consumer<String> notices) {
        try (PostgresLockStore opened = open(notices)) {
            opened.recover();
        }
        return "From now on the tokens of " + describe() + " are above all that were ever handed out. Nothing is"
                + " granted until every lease that it may have forgotten is over.";
    }

    @Override
    public String upgrade(Consumer<String> notices) {
        EmbeddedPostgres postgres = new EmbeddedPostgres(home, notices);
        Upgrade done = asking(() -> postgres.upgrade(new CopyOfStore()));
        PostgresSchema.migrate(Database.at(asking(postgres::address)));
        return switch (done) {
            case Upgrade.UpToDate(String version) ->
                "The store on this machine is up to date: PostgreSQL " + version + ".";
            case Upgrade.Restarted(String from, String to, Address address) ->
                "The store on this machine was PostgreSQL " + from + " and is " + to + " now.";
            case Upgrade.Migrated(String from, String to, Path backup, Address address) ->
                "The store on this machine was PostgreSQL " + from + " and is " + to
                        + " now. What it was before is kept in " + backup + ".";
        };
    }

    private EmbeddedPostgres postgres() {
        return new EmbeddedPostgres(home, notice -> {});
    }

    private static <T> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (EmbeddedUnavailable e) {
            throw new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }
}

package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.UsageError;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.work.WorkStores;
import dev.interlock.postgres.PostgresAudit;
import dev.interlock.postgres.PostgresLockStore;
import dev.interlock.postgres.PostgresSchema;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A PostgreSQL that somebody else looks after. Only its schema is ours, and only when there is none yet. */
final class RemoteStore implements ConfiguredStore {
    private final StoreAddress address;
    private final Map<String, String> environment;
    private final Ports ports;

    RemoteStore(StoreAddress address, Map<String, String> environment, Ports ports) {
        this.address = address;
        this.environment = environment;
        this.ports = ports;
    }

    @Override
    public PostgresLockStore open(Consumer<String> notices) {
        DataSource source = Database.at(address, environment, notices);
        try {
            return PostgresLockStore.open(source, ports);
        } catch (StoreUnavailable e) {
            if (!lacksSchema(e)) {
                throw e;
            }
        }
        install(source, notices);
        return PostgresLockStore.open(source, ports);
    }

    private void install(DataSource source, Consumer<String> notices) {
        try {
            PostgresSchema.migrate(source);
        } catch (StoreUnavailable e) {
            throw e.kind() == StoreUnavailable.Kind.FORBIDDEN ? mayNotInstall(e) : e;
        }
        notices.accept("Created the tables of Interlock (schema \"interlock\") in " + describe() + ".");
    }

    private StoreUnavailable mayNotInstall(StoreUnavailable e) {
        return new StoreUnavailable(
                e.kind(),
                "The tables of Interlock are not there yet, and this user may not create them in " + describe()
                        + ". Let its owner run: interlock store upgrade --store " + describe(),
                e);
    }

    /** An older schema is left alone: programs that still need it may be at work on other machines. */
    private static boolean lacksSchema(StoreUnavailable e) {
        return e.kind() == StoreUnavailable.Kind.MISCONFIGURED
                && e.getCause() instanceof SQLException sql
                && ("3F000".equals(sql.getSQLState()) || "42P01".equals(sql.getSQLState()));
    }

    @Override
    public PostgresAudit audit(Consumer<String> notices) {
        open(notices).close();
        return new PostgresAudit(Database.at(address, environment, notices));
    }

    @Override
    public WorkStores work(Consumer<String> notices) {
        return open(notices).work();
    }

    @Override
    public String describe() {
        return address.withoutPassword();
    }

    @Override
    public void examine(Consumer<Finding> findings) {
        new Examination(Database.at(address, environment, notice -> {}), findings).run();
    }

    @Override
    public StoreState state() {
        DataSource source = Database.at(address, environment, notice -> {});
        String status = "running";
        try {
            PostgresLockStore.open(source, ports).close();
        } catch (StoreUnavailable e) {
            if (!lacksSchema(e)) {
                throw e;
            }
            status = "absent";
        }
        return new StoreState(status, describe(), Examination.version(source), null);
    }

    @Override
    public String stop() {
        throw new UsageError("Only the store on this machine can be stopped with Interlock, not " + describe() + ".");
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
        PostgresSchema.migrate(Database.at(address, environment, notices));
        return "The tables of Interlock in " + describe() + " are what this version needs.";
    }
}

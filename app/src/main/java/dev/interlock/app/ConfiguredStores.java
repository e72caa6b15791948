package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.Stores;
import dev.interlock.cli.UsageError;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import dev.interlock.embedded.DefaultHome;
import dev.interlock.embedded.EmbeddedUnavailable;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store that {@code --store} names, else {@code INTERLOCK_STORE}, else the one on this machine. */
final class ConfiguredStores implements Stores {
    private static final String VARIABLE = "INTERLOCK_STORE";

    private final Map<String, String> environment;
    private final Ports ports;

    ConfiguredStores(Map<String, String> environment, Ports ports) {
        this.environment = environment;
        this.ports = ports;
    }

    private ConfiguredStore chosen(@Nullable String option) {
        if (option != null) {
            return named(option, true);
        }
        String configured = environment.getOrDefault(VARIABLE, "");
        return configured.isEmpty() ? new LocalStore(home(), ports) : named(configured, false);
    }

    /** Only here a kind of store is named, and only the one that is meant is loaded. */
    private ConfiguredStore named(String address, boolean everybodyCanRead) {
        if (DynamoAddress.isOne(address)) {
            return new DynamoStore(DynamoAddress.parse(address), ports);
        }
        if (KubernetesStore.isMeantBy(address)) {
            return KubernetesStore.at(address, environment, ports);
        }
        StoreAddress postgres = StoreAddress.parse(address);
        if (everybodyCanRead && postgres.password() != null) {
            throw new UsageError("--store must not contain a password, since everybody on this machine can read it in"
                    + " the list of processes. Put it into INTERLOCK_STORE, PGPASSWORD or ~/.pgpass.");
        }
        return new RemoteStore(postgres, environment, ports);
    }

    private Path home() {
        try {
            return DefaultHome.of(environment, System.getProperty("os.name"), System.getProperty("user.name"));
        } catch (EmbeddedUnavailable e) {
            throw new StoreUnavailable(StoreUnavailable.Kind.MISCONFIGURED, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public LockStore open(@Nullable String address, Consumer<String> notices) {
        return chosen(address).open(notices);
    }

    @Override
    public AuditTrail audit(@Nullable String address, Consumer<String> notices) {
        return chosen(address).audit(notices);
    }

    @Override
    public WorkStores work(@Nullable String address, Consumer<String> notices) {
        return chosen(address).work(notices);
    }

    @Override
    public String describe(@Nullable String address) {
        return chosen(address).describe();
    }

    @Override
    public void examine(@Nullable String address, Consumer<Finding> findings) {
        chosen(address).examine(findings);
    }

    @Override
    public StoreState state(@Nullable String address) {
        return chosen(address).state();
    }

    @Override
    public String stop(@Nullable String address) {
        return chosen(address).stop();
    }

    @Override
    public String recover(@Nullable String address, Consumer<String> notices) {
        return chosen(address).recover(notices);
    }

    @Override
    public String createTable(@Nullable String address, boolean deletionProtection) {
        return chosen(address).createTable(deletionProtection);
    }

    @Override
    public String upgrade(@Nullable String address, Consumer<String> notices) {
        return chosen(address).upgrade(notices);
    }

    @Override
    public Map<String, @Nullable String> concealed() {
        String configured = environment.getOrDefault(VARIABLE, "");
        return configured.isEmpty() || DynamoAddress.isOne(configured) || KubernetesStore.isMeantBy(configured)
                ? Map.of()
                : Map.of(VARIABLE, StoreAddress.parse(configured).withoutPassword());
    }
}

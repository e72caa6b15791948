package dev.interlock.app;

import dev.interlock.app.worker.ServiceLog;
import dev.interlock.app.worker.WorkerProcess;
import dev.interlock.cli.Finding;
import dev.interlock.cli.Services;
import dev.interlock.cli.Stores;
import dev.interlock.cli.UsageError;
import dev.interlock.cli.WorkerPlan;
import dev.interlock.core.Identity;
import dev.interlock.core.Ports;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The processes that this program can be, apart from a command that answers and ends. */
final class OwnServices implements Services {
    private final Stores stores;
    private final Supplier<Identity> identity;
    private final Ports ports;
    private final Map<String, String> environment;

    OwnServices(Stores stores, Supplier<Identity> identity, Ports ports, Map<String, String> environment) {
        this.stores = stores;
        this.identity = identity;
        this.ports = ports;
        this.environment = environment;
    }

    /** What only a worker needs is loaded only here. */
    @Override
    public int work(WorkStores work, AuditTrail audit, WorkerPlan plan, Consumer<String> talk) {
        try {
            ServiceLog.begin(environment);
            return new WorkerProcess(identity.get(), ports, stores.concealed()).run(work, audit, plan, talk);
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void examineQueue(String address, Consumer<Finding> findings) {
        ConfiguredQueue.examine(address, findings);
    }

    @Override
    public String createQueue(String address) {
        return ConfiguredQueue.create(address);
    }
}

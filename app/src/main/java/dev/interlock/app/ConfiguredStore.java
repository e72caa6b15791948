package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.UsageError;
import dev.interlock.core.LockStore;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.work.WorkStores;
import java.util.function.Consumer;

/** A store that the user chose, by naming it or by naming none. */
interface ConfiguredStore {
    LockStore open(Consumer<String> notices);

    /** Opens it for executions, too. */
    default WorkStores work(Consumer<String> notices) {
        throw new UsageError("Executions, resources and workers need a store on PostgreSQL; " + describe()
                + " keeps locks only. Name one with --store postgres://HOST/DATABASE");
    }

    /** For people to read; never with a secret. */
    String describe();

    void examine(Consumer<Finding> findings);

    StoreState state();

    String stop();

    String recover(Consumer<String> notices);

    String upgrade(Consumer<String> notices);

    default AuditTrail audit(Consumer<String> notices) {
        throw new UsageError("Only a store on PostgreSQL keeps an audit trail, not " + describe()
                + ". What happened to one lock: interlock locks history NAME");
    }

    default String createTable(boolean deletionProtection) {
        throw new UsageError("Only a store on DynamoDB has a table to create, not " + describe()
                + ". Name one with --store dynamodb://TABLE?region=REGION");
    }
}

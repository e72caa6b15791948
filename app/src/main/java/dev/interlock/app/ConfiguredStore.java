package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.UsageError;
import dev.interlock.core.LockStore;
import java.util.function.Consumer;

/** A store that the user chose, by naming it or by naming none. */
interface ConfiguredStore {
    LockStore open(Consumer<String> notices);

    /** For people to read; never with a secret. */
    String describe();

    void examine(Consumer<Finding> findings);

    StoreState state();

    String stop();

    String recover(Consumer<String> notices);

    String upgrade(Consumer<String> notices);

    default String createTable(boolean deletionProtection) {
        throw new UsageError("Only a store on DynamoDB has a table to create, not " + describe()
                + ". Name one with --store dynamodb://TABLE?region=REGION");
    }
}

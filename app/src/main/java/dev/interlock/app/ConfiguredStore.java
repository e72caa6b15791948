package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.postgres.PostgresLockStore;
import java.util.function.Consumer;

/** A store that the user chose, by naming it or by naming none. */
interface ConfiguredStore {
    PostgresLockStore open(Consumer<String> notices);

    /** For people to read; never with a secret. */
    String describe();

    void examine(Consumer<Finding> findings);

    StoreState state();

    String stop();

    String upgrade(Consumer<String> notices);
}

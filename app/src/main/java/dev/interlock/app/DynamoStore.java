package dev.interlock.app;

import dev.interlock.cli.Finding;
import dev.interlock.cli.StoreState;
import dev.interlock.cli.UsageError;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.dynamodb.DynamoClients;
import dev.interlock.dynamodb.DynamoLockStore;
import dev.interlock.dynamodb.DynamoTable;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table on DynamoDB. Nothing else names a class of the AWS SDK, so that nobody loads one who does not use it. */
final class DynamoStore implements ConfiguredStore {
    private final DynamoAddress address;
    private final Ports ports;

    DynamoStore(DynamoAddress address, Ports ports) {
        this.address = address;
        this.ports = ports;
    }

    private DynamoDbClient client() {
        return DynamoClients.create(address.region(), address.endpoint());
    }

    @Override
    public LockStore open(Consumer<String> notices) {
        return DynamoLockStore.open(client(), address.table(), ports);
    }

    @Override
    public String describe() {
        return address.toString();
    }

    @Override
    public void examine(Consumer<Finding> findings) {
        try (DynamoDbClient client = client()) {
            for (DynamoTable.Trait trait : DynamoTable.describe(client, address.table())) {
                findings.accept(
                        trait.advice() == null
                                ? Finding.ok(trait.what(), trait.text())
                                : Finding.warn(trait.what(), trait.text(), trait.advice()));
            }
        }
    }

    @Override
    public StoreState state() {
        String status = "running";
        try {
            open(notice -> {}).close();
        } catch (StoreUnavailable e) {
            if (!DynamoTable.isMissing(e)) {
                throw e;
            }
            status = "absent";
        }
        return new StoreState(status, describe(), null, null);
    }

    @Override
    public String stop() {
        throw new UsageError("Only the store on this machine can be stopped with Interlock, not " + describe() + ".");
    }

    @Override
    public String recover(Consumer<String> notices) {
        throw new UsageError("A table on DynamoDB does not forget what it has acknowledged. After restoring one from a"
                + " backup use a new table, and name it in the address.");
    }

    @Override
    public String upgrade(Consumer<String> notices) {
        open(notices).close();
        return "The table " + describe() + " is what this version needs.";
    }

    @Override
    public String createTable(boolean deletionProtection) {
        try (DynamoDbClient client = client()) {
            return DynamoTable.create(client, address.table(), deletionProtection, ports)
                    ? "Created the table " + describe() + "."
                    : "The table " + describe() + " was there already, and is what this version needs.";
        }
    }
}

package dev.interlock.bench.dynamodb;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Ask;
import dev.interlock.core.Entry;
import dev.interlock.core.Handover;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.dynamodb.DynamoLockStore;
import dev.interlock.dynamodb.DynamoTable;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Interlock's store, one lease for the whole process. */
final class InterlockClient implements Client {
    private static final String OWNER = "bench:1:interlock";
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final DynamoLockStore store;
    private final Lease lease = new Lease(UUID.randomUUID(), OWNER, "bench", Duration.ofSeconds(30));

    private InterlockClient(DynamoLockStore store) {
        this.store = store;
    }

    static InterlockClient open(DynamoDbClient client, String table) {
        var ports = SystemPorts.create();
        DynamoTable.create(client, table, false, ports);
        return new InterlockClient(DynamoLockStore.open(client, table, ports));
    }

    @Override
    public AutoCloseable acquire(String name) {
        var holder = new Holder("exec-" + UUID.randomUUID(), 1, OWNER, "bench");
        var lock = granted(store.enter(new Ask(LockName.of(name), holder, lease), PATIENCE, Integer.MAX_VALUE));
        return () -> store.release(lock);
    }

    private static Lock granted(Entry entry) {
        return switch (entry) {
            case Acquisition.Granted(Lock lock) -> lock;
            case Entry.Queued queued -> {
                Handover handover = queued.place().handover().join();
                if (handover instanceof Acquisition.Granted(Lock lock)) {
                    yield lock;
                }
                throw new IllegalStateException("waited in vain: " + handover);
            }
            case Entry.QueueFull full -> throw new IllegalStateException("the queue is full");
        };
    }

    @Override
    public void heartbeat() {
        store.renew(List.of(lease));
    }

    @Override
    public void close() {
        store.end(lease);
        store.close();
    }
}

package dev.interlock.examples;

import dev.interlock.core.HeldLock;
import dev.interlock.core.LockStore;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.system.ThisProcess;
import dev.interlock.postgres.PostgresLockStore;
import java.time.Duration;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** Any number of replicas start at once; one at a time migrates the database, in the order in which they came. */
public final class Migration {
    private final DataSource dataSource;
    private final LongConsumer migration;

    /** @param migration is given the token, to be passed on to whatever can refuse an older one */
    public Migration(DataSource dataSource, LongConsumer migration) {
        this.dataSource = dataSource;
        this.migration = migration;
    }

    public void run() throws InterruptedException {
        // readme:begin
        Ports ports = SystemPorts.create();
        LockStore store = PostgresLockStore.open(dataSource, ports);
        Locks locks = new Locks(store, ThisProcess.identity(), Settings.DEFAULT, ports);

        try (HeldLock lock = locks.acquire("prod/db", Options.waiting(Duration.ofMinutes(5)))) {
            migrate(lock.token()); // pass the token to whatever can refuse an older one
            lock.requireAtLeast(Duration.ofSeconds(5)); // before a step that must not happen twice
        }
        // readme:end
        locks.close();
        store.close();
    }

    private void migrate(long token) {
        migration.accept(token);
    }
}

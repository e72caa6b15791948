package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;

import dev.interlock.core.LockName;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An empty trail for each test. */
abstract class TrailTest extends OwnServer {
    PostgresLockStore store;
    PostgresAudit audit;

    @BeforeEach
    void open() {
        Server.execute(
                database,
                "TRUNCATE interlock.lock, interlock.lease, interlock.waiter, interlock.history, interlock.notice, interlock.seal",
                "UPDATE interlock.store SET grants_resume_at = '-infinity'");
        store = PostgresLockStore.open(database, SystemPorts.create());
        audit = new PostgresAudit(database);
    }

    @AfterEach
    void close() {
        audit.close();
        store.close();
    }

    /** Takes a lock and gives it back, so often. */
    void use(int times) {
        Asker alice = Asker.named("alice", Duration.ofMinutes(1));
        for (int time = 0; time < times; time++) {
            store.release(granted(store.acquire(alice.asks(LockName.of("prod/db")))));
        }
    }
}

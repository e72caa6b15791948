package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;

import dev.interlock.core.LockName;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** A server of one's own, and an empty trail for each test. */
abstract class TrailTest {
    private static Server server;
    static PGSimpleDataSource database;

    PostgresLockStore store;
    PostgresAudit audit;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("trail");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

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

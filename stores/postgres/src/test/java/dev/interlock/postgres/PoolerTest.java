package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Release;
import dev.interlock.core.Renewal;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract through PgBouncer in transaction mode; only the listening connection leads past it. */
class PoolerTest extends PostgresContract {
    private static Server server;
    private static Pooler pooler;
    private static PGSimpleDataSource database;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        pooler = Pooler.start(server);
        database = server.database("contract");
    }

    @AfterAll
    static void stopServer() {
        if (pooler != null) {
            pooler.close();
        }
        server.close();
    }

    @Override
    PGSimpleDataSource database() {
        return database;
    }

    @Override
    PGSimpleDataSource front() {
        return pooler.inFrontOf(database);
    }

    /** pgjdbc names a statement after a few uses; on a shared connection the name may mean another client's. */
    @Test
    void clients_that_share_connections_never_meet_each_others_statements() {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < 6; client++) {
            String name = "client-" + client;
            clients.add(Session.beside(() -> {
                try (PostgresLockStore store = PostgresLockStore.open(front(), database, SystemPorts.create())) {
                    for (int round = 0; round < 60; round++) {
                        LockName lock = LockName.of(name + "/" + round % 3);
                        Lock mine = granted(store.acquire(
                                Asker.named(name, Duration.ofMinutes(1)).asks(lock)));
                        assertThat(store.find(lock).orElseThrow().token()).isEqualTo(mine.token());
                        assertThat(store.waiters(lock)).isEmpty();
                        assertThat(store.renew(mine)).isInstanceOf(Renewal.Renewed.class);
                        assertThat(store.release(mine)).isEqualTo(new Release.Released());
                    }
                }
                return null;
            }));
        }
        clients.forEach(CompletableFuture::join);
        assertThat(namedStatements()).isZero();
    }

    private static long namedStatements() {
        try {
            return (long) Session.askOnce(pooler.inFrontOf(database), "SELECT count(*) FROM pg_prepared_statements");
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.interlock.postgres;

import dev.interlock.contract.once.OnceAcrossProcesses;
import dev.interlock.contract.once.StoreOpener;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

class OnceTest extends OnceAcrossProcesses {
    private static Server server;
    private PGSimpleDataSource database;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void createDatabase() {
        database = server.database("once");
    }

    static final class Opener implements StoreOpener {
        @Override
        public LockStore open(List<String> address, Ports ports) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(address.getFirst());
            source.setUser("postgres");
            return PostgresLockStore.open(source, ports);
        }
    }

    @Override
    protected Class<? extends StoreOpener> opener() {
        return Opener.class;
    }

    @Override
    protected List<String> address() {
        return List.of("jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database.getDatabaseName());
    }
}

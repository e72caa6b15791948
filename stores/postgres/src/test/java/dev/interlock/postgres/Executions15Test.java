package dev.interlock.postgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

class Executions15Test extends ExecutionsOn {
    private static Server server;
    private static PGSimpleDataSource database;

    @BeforeAll
    static void startServer() {
        server = Server.start(15);
        database = server.database("executions");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    PGSimpleDataSource database() {
        return database;
    }
}

package dev.interlock.postgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A real server for each class of tests, with one database. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
abstract class OwnServer {
    private static Server server;
    static PGSimpleDataSource database;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("tests");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }
}

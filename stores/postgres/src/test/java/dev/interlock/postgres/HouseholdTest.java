package dev.interlock.postgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** A server of one's own, and an orderly household for each test. */
abstract class HouseholdTest {
    private static Server server;
    static PGSimpleDataSource database;

    Household house;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("household");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        house = Household.open(database);
    }

    @AfterEach
    void close() {
        house.close();
    }
}

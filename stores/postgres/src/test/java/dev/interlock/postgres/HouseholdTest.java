package dev.interlock.postgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An orderly household for each test. */
abstract class HouseholdTest extends OwnServer {
    Household house;

    @BeforeEach
    void open() {
        house = Household.open(database);
    }

    @AfterEach
    void close() {
        house.close();
    }
}

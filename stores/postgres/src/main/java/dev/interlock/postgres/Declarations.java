package dev.interlock.postgres;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.CatalogueStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What is declared, kept here until the store says that it has changed. */
final class Declarations {
    private static final String NUMBER = "SELECT catalogue FROM interlock.store";

    /**
     * What was declared at some time.
     *
     * @param number counts the changes; what is kept is at least as new
     */
    record Kept(long number, Catalogue catalogue) {}

    private final CatalogueStore store;
    private volatile Kept kept = new Kept(-1, Catalogue.EMPTY);

    Declarations(CatalogueStore store) {
        this.store = store;
    }

    Kept last() {
        return kept;
    }

    /** Read again, if it has changed: its number first, so that nothing newer is taken for what it counts. */
    Kept current(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NUMBER);
                ResultSet row = statement.executeQuery()) {
            row.next();
            long number = row.getLong(1);
            if (number != kept.number) {
                kept = new Kept(number, store.catalogue());
            }
            return kept;
        }
    }
}

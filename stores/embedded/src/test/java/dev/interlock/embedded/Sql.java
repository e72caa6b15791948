package dev.interlock.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What tests do to a store: keep words in a table, and see whether they are still there. */
final class Sql {
    private Sql() {}

    static Connection connect(Address address) throws SQLException {
        return DriverManager.getConnection(address.jdbcUrl(), Address.USER, address.password());
    }

    static void keep(Address address, String... words) throws SQLException {
        try (Connection connection = connect(address);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS kept (word text)");
            for (String word : words) {
                statement.execute("INSERT INTO kept VALUES ('" + word + "')");
            }
        }
    }

    static List<String> kept(Address address) throws SQLException {
        return column(address, "SELECT word FROM kept");
    }

    static String show(Address address, String setting) throws SQLException {
        return column(address, "SHOW " + setting).getFirst();
    }

    private static List<String> column(Address address, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = connect(address);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}

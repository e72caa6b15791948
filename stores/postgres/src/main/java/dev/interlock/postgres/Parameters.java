package dev.interlock.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** One array for one property of all requests of a batch, in the types that pgjdbc sends without writing them as text. */
final class Parameters {
    private Parameters() {}

    static <T> void text(PreparedStatement statement, int at, List<T> items, Function<T, @Nullable String> property)
            throws SQLException {
        set(statement, at, "text", items.stream().map(property).toArray(String[]::new));
    }

    static <T> void ints(PreparedStatement statement, int at, List<T> items, ToIntFunction<T> property)
            throws SQLException {
        set(statement, at, "int4", items.stream().mapToInt(property).toArray());
    }

    static <T> void longs(PreparedStatement statement, int at, List<T> items, ToLongFunction<T> property)
            throws SQLException {
        set(statement, at, "int8", items.stream().mapToLong(property).toArray());
    }

    private static void set(PreparedStatement statement, int at, String type, Object array) throws SQLException {
        PGConnection connection = statement.getConnection().unwrap(PGConnection.class);
        statement.setArray(at, connection.createArrayOf(type, array));
    }
}

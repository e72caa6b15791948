package dev.interlock.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
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
        @Nullable String[] values = new @Nullable String[items.size()];
        Arrays.setAll(values, i -> property.apply(items.get(i)));
        set(statement, at, "text", values);
    }

    static <T> void ints(PreparedStatement statement, int at, List<T> items, ToIntFunction<T> property)
            throws SQLException {
        int[] values = new int[items.size()];
        Arrays.setAll(values, i -> property.applyAsInt(items.get(i)));
        set(statement, at, "int4", values);
    }

    static <T> void longs(PreparedStatement statement, int at, List<T> items, ToLongFunction<T> property)
            throws SQLException {
        long[] values = new long[items.size()];
        Arrays.setAll(values, i -> property.applyAsLong(items.get(i)));
        set(statement, at, "int8", values);
    }

    private static void set(PreparedStatement statement, int at, String type, Object array) throws SQLException {
        PGConnection connection = statement.getConnection().unwrap(PGConnection.class);
        statement.setArray(at, connection.createArrayOf(type, array));
    }
}

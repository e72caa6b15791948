package dev.interlock.postgres;

import dev.interlock.core.work.LogStore;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Logs in a table, a row for each piece. */
final class PostgresLogs implements LogStore {
    private static final String APPEND = "SELECT interlock.append_log(?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String READ = """
            SELECT number, at, stream, bytes FROM interlock.log
             WHERE execution = ? AND attempt = ? AND number > ? ORDER BY number LIMIT ?""";

    /** What stays of the beginning when the middle has to go. */
    private static final int HEAD = 64 * 1024;

    /** Only whole pieces are left out, so they are kept small. */
    private static final int LARGEST_PIECE = 16 * 1024;

    private final Connections connections;

    PostgresLogs(Connections connections) {
        this.connections = connections;
    }

    @Override
    public void append(String execution, int attempt, long token, long from, List<Printed> printed) {
        List<Printed> pieces = pieces(printed);
        if (!pieces.isEmpty()) {
            connections.with(connection -> append(connection, execution, attempt, token, from, pieces));
        }
    }

    private static boolean append(
            Connection connection, String execution, int attempt, long token, long from, List<Printed> pieces)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
            statement.setString(1, execution);
            statement.setInt(2, attempt);
            statement.setLong(3, token);
            statement.setLong(4, from);
            Parameters.text(statement, 5, pieces, piece -> piece.stream().name());
            statement.setArray(
                    6,
                    connection.createArrayOf(
                            "bytea", pieces.stream().map(PostgresLogs::bytes).toArray(byte[][]::new)));
            statement.setLong(7, HEAD);
            statement.setLong(8, MAX_BYTES);
            return statement.execute();
        }
    }

    private static List<Printed> pieces(List<Printed> printed) {
        List<Printed> pieces = new ArrayList<>();
        for (Printed one : printed) {
            ByteBuffer all = one.bytes();
            for (int from = all.position(); from < all.limit(); from += LARGEST_PIECE) {
                ByteBuffer part = all.slice(from, Math.min(LARGEST_PIECE, all.limit() - from));
                pieces.add(new Printed(one.stream(), part));
            }
        }
        return pieces;
    }

    private static byte[] bytes(Printed piece) {
        byte[] bytes = new byte[piece.bytes().remaining()];
        piece.bytes().duplicate().get(bytes);
        return bytes;
    }

    @Override
    public List<Piece> read(String execution, int attempt, long after, int most) {
        return connections.with(connection -> {
            List<Piece> pieces = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(READ)) {
                statement.setString(1, execution);
                statement.setInt(2, attempt);
                statement.setLong(3, after);
                statement.setInt(4, most);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        pieces.add(new Piece(
                                row.getLong("number"),
                                Rows.instant(row, "at"),
                                Stream.valueOf(row.getString("stream")),
                                ByteBuffer.wrap(row.getBytes("bytes"))));
                    }
                }
            }
            return pieces;
        });
    }
}

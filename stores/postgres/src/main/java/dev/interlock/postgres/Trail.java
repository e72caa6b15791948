package dev.interlock.postgres;

import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The trail as rows: events and seals, and which events stand where a seal was made. */
final class Trail {
    private static final String SEALS = """
            SELECT *, from_xid::text::bigint AS "from", to_xid::text::bigint AS "to", xids::text[]::bigint[] AS listed_xids,
                   encode(listing, 'hex') AS listing_hex, encode(contents, 'hex') AS contents_hex,
                   encode(previous, 'hex') AS previous_hex, encode(hash, 'hex') AS hash_hex
              FROM interlock.seal WHERE number > ? ORDER BY number LIMIT ?""";
    private static final String LAST = """
            SELECT *, from_xid::text::bigint AS "from", to_xid::text::bigint AS "to", NULL::bigint[] AS listed_xids,
                   encode(listing, 'hex') AS listing_hex, encode(contents, 'hex') AS contents_hex,
                   encode(previous, 'hex') AS previous_hex, encode(hash, 'hex') AS hash_hex
              FROM interlock.seal ORDER BY number DESC LIMIT 1""";

    /** In the present era everything counts that stands there. */
    private static final String BETWEEN = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE (h.xid, h.seq) > (?::text::xid8, ?) AND (h.xid, h.seq) <= (?::text::xid8, ?) AND h.seq >= ?
             ORDER BY h.xid, h.seq""";

    /** What is in no other seal's list, whatever its transaction. */
    private static final String REST = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
              LEFT JOIN (SELECT unnest(s.seqs) AS seq FROM interlock.seal s WHERE s.number <> ?) l ON l.seq = h.seq
             WHERE h.seq > ? AND h.seq <= ? AND l.seq IS NULL
             ORDER BY h.seq LIMIT ?""";

    /** In an era that is over, only what is listed; what is in no list at all stands in the rest of the present one. */
    private static final String LISTED = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE h.seq IN (SELECT unnest(s.seqs) FROM interlock.seal s WHERE s.number = ?)
               AND ((h.xid, h.seq) > (?::text::xid8, ?) AND (h.xid, h.seq) <= (?::text::xid8, ?) OR ?)
             ORDER BY CASE WHEN ? THEN '0'::xid8 ELSE h.xid END, h.seq""";

    private static final String AFTER = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE (h.xid, h.seq) > (?::text::xid8, ?) AND h.seq >= ?
             ORDER BY h.xid, h.seq""";
    private static final int ROWS_AT_ONCE = 1000;

    private Trail() {}

    static @Nullable Seal last(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LAST);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? seal(row) : null;
        }
    }

    static List<Seal> seals(Connection connection, long after, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SEALS)) {
            statement.setLong(1, after);
            statement.setInt(2, most);
            List<Seal> seals = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    seals.add(seal(row));
                }
            }
            return seals;
        }
    }

    static List<Event> under(Connection connection, Seal seal) throws SQLException {
        Seal last = last(connection);
        if (last != null && last.era().number() > seal.era().number()) {
            return listed(connection, seal);
        }
        return seal.isOfTheRest()
                ? rest(connection, seal.number(), seal.from().seq(), seal.to().seq(), Integer.MAX_VALUE)
                : between(connection, seal);
    }

    private static List<Event> between(Connection connection, Seal seal) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BETWEEN)) {
            positions(statement, 1, seal.from(), seal.to());
            statement.setLong(5, seal.era().firstSeq());
            return events(statement);
        }
    }

    private static List<Event> listed(Connection connection, Seal seal) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LISTED)) {
            statement.setLong(1, seal.number());
            positions(statement, 2, seal.from(), seal.to());
            statement.setBoolean(6, seal.isOfTheRest());
            statement.setBoolean(7, seal.isOfTheRest());
            return events(statement);
        }
    }

    /** @param but the number of a seal whose own list does not count */
    static List<Event> rest(Connection connection, long but, long fromSeq, long toSeq, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REST)) {
            statement.setLong(1, but);
            statement.setLong(2, fromSeq);
            statement.setLong(3, toSeq);
            statement.setInt(4, most);
            return events(statement);
        }
    }

    static void unsealed(Connection connection, Consumer<Event> each) throws SQLException {
        Seal last = last(connection);
        Position to = last == null ? Position.START : last.to();
        long first = last == null ? 0 : last.era().firstSeq();
        if (last != null && to.compareTo(last.era().beginning()) < 0) {
            rest(connection, 0, to.seq(), first - 1, Integer.MAX_VALUE).forEach(each);
        }
        try (PreparedStatement statement = connection.prepareStatement(AFTER)) {
            statement.setFetchSize(ROWS_AT_ONCE);
            statement.setString(1, Long.toString(to.xid()));
            statement.setLong(2, to.seq());
            statement.setLong(3, first);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    each.accept(event(row));
                }
            }
        }
    }

    static List<Event> events(PreparedStatement statement) throws SQLException {
        List<Event> events = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                events.add(event(row));
            }
        }
        return events;
    }

    private static void positions(PreparedStatement statement, int at, Position from, Position to) throws SQLException {
        statement.setString(at, Long.toString(from.xid()));
        statement.setLong(at + 1, from.seq());
        statement.setString(at + 2, Long.toString(to.xid()));
        statement.setLong(at + 3, to.seq());
    }

    private static Event event(ResultSet row) throws SQLException {
        return new Event(
                new Position(row.getLong("at"), row.getLong("seq")),
                row.getString("name"),
                row.getLong("token"),
                row.getString("event"),
                row.getString("execution"),
                row.getInt("attempt"),
                row.getString("owner"),
                row.getString("user"),
                Rows.instant(row, "began_at"),
                Rows.instant(row, "ended_at"),
                row.getString("actor"),
                row.getString("detail"),
                row.getBoolean("clean"),
                row.getString("workflow"),
                row.getString("correlation"),
                row.getString("phase"),
                row.getString("state"));
    }

    private static Seal seal(ResultSet row) throws SQLException {
        return new Seal(
                row.getLong("number"),
                new Seal.Era(row.getInt("era"), row.getLong("system"), row.getInt("epoch"), row.getLong("first_seq")),
                new Position(row.getLong("from"), row.getLong("from_seq")),
                new Position(row.getLong("to"), row.getLong("to_seq")),
                row.getInt("count"),
                Rows.instant(row, "newest"),
                Rows.instant(row, "sealed_at"),
                listed(row),
                row.getString("listing_hex"),
                row.getString("contents_hex"),
                row.getString("previous_hex"),
                row.getString("hash_hex"));
    }

    private static @Nullable List<Seal.Listed> listed(ResultSet row) throws SQLException {
        @Nullable Array xids = row.getArray("listed_xids");
        if (xids == null) {
            return null;
        }
        Long[] of = (Long[]) xids.getArray();
        Long[] seqs = (Long[]) row.getArray("seqs").getArray();
        Long[] digests = (Long[]) row.getArray("digests").getArray();
        List<Seal.Listed> listed = new ArrayList<>();
        for (int at = 0; at < of.length; at++) {
            listed.add(new Seal.Listed(new Position(of[at], seqs[at]), digests[at]));
        }
        return listed;
    }
}

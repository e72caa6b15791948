package dev.interlock.postgres;

import dev.interlock.core.audit.Chain;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes one seal, in the transaction of the connection it is given: killed at any point, it has done nothing. */
final class Sealer {
    private static final String TAKE = "SELECT pg_try_advisory_xact_lock(hashtextextended('interlock.seal', 0))";

    /** Everything before {@code xmin} has ended by now, so that statements that come after this one see all of it. */
    private static final String LOOK = """
            SELECT clock_timestamp() AS now, pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin,
                   c.system_identifier AS system, s.epoch
              FROM interlock.store s, pg_control_system() c""";

    /** Most looks find nothing new, in one statement and without a lock; anything unusual is for {@link #seal}. */
    private static final String UP_TO_DATE = """
            SELECT EXISTS (SELECT FROM interlock.store s, pg_control_system() c,
                                       (SELECT * FROM interlock.seal ORDER BY number DESC LIMIT 1) l
                            WHERE l.to_xid > '0' AND l.system = c.system_identifier AND l.epoch = s.epoch
                              AND NOT EXISTS (SELECT FROM interlock.history h WHERE (h.xid, h.seq) > (l.to_xid, l.to_seq)))""";

    private static final String FINISHED = """
            SELECT h.*, h.xid::text::bigint AS at FROM interlock.history h
             WHERE (h.xid, h.seq) > (?::text::xid8, ?) AND h.xid < ?::text::xid8 AND h.seq >= ?
             ORDER BY h.xid, h.seq LIMIT ?""";

    /** Whoever waits for this keeps others from writing events: it gives up soon, and is tried again. */
    private static final String BRIEFLY = "SELECT set_config('lock_timeout', '200ms', true)";

    private static final String BEGIN_ERA = "SELECT interlock.begin_era()";
    private static final String INSERT = """
            INSERT INTO interlock.seal (number, era, system, epoch, first_seq, from_xid, from_seq, to_xid, to_seq, count,
                                        newest, sealed_at, xids, seqs, digests, listing, contents, previous, hash)
            VALUES (?, ?, ?, ?, ?, ?::text::xid8, ?, ?::text::xid8, ?, ?, ?, ?, ?::text[]::xid8[], ?, ?,
                    decode(?, 'hex'), decode(?, 'hex'), decode(?, 'hex'), decode(?, 'hex'))""";

    private record Look(Instant now, long xmin, long system, int epoch) {}

    private final Connection connection;

    Sealer(Connection connection) {
        this.connection = connection;
    }

    static boolean isUpToDate(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        try (PreparedStatement statement = connection.prepareStatement(UP_TO_DATE);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        } finally {
            connection.setAutoCommit(false);
        }
    }

    Sealing seal(int most) throws SQLException {
        if (!take()) {
            return new Sealing.GaveWay();
        }
        Look look = look();
        Seal last = Trail.last(connection);
        if (last == null) {
            return open(null, new Seal.Era(1, look.system, look.epoch, 1), look);
        }
        Seal.Era era = last.era();
        if (era.system() != look.system || era.epoch() != look.epoch) {
            return open(last, new Seal.Era(era.number() + 1, look.system, look.epoch, beginEra()), look);
        }
        return last.to().compareTo(era.beginning()) < 0 ? rest(last, look, most) : next(last, look, most);
    }

    /** An era begins with a seal of nothing. */
    private Sealing open(@Nullable Seal last, Seal.Era era, Look look) throws SQLException {
        return insert(Chain.next(last, era, Position.START, Position.START, List.of(), look.now));
    }

    /** What earlier eras left, and what was written before this one began: all of it has ended. */
    private Sealing rest(Seal last, Look look, int most) throws SQLException {
        Seal.Era era = last.era();
        List<Event> events = Trail.rest(connection, 0, last.to().seq(), era.firstSeq() - 1, most);
        Position to = events.size() < most
                ? era.beginning()
                : new Position(0, events.getLast().at().seq());
        return insert(Chain.next(last, era, last.to(), to, events, look.now));
    }

    private Sealing next(Seal last, Look look, int most) throws SQLException {
        List<Event> events = finished(last, look.xmin, most);
        if (events.isEmpty()) {
            return new Sealing.NothingToDo();
        }
        Position to = events.size() < most
                ? new Position(look.xmin, 0)
                : events.getLast().at();
        return insert(Chain.next(last, last.era(), last.to(), to, events, look.now));
    }

    private boolean take() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private Look look() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new Look(Rows.instant(row, "now"), row.getLong("xmin"), row.getLong("system"), row.getInt("epoch"));
        }
    }

    private long beginEra() throws SQLException {
        try (PreparedStatement briefly = connection.prepareStatement(BRIEFLY);
                PreparedStatement begin = connection.prepareStatement(BEGIN_ERA)) {
            briefly.execute();
            try (ResultSet row = begin.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private List<Event> finished(Seal last, long xmin, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FINISHED)) {
            statement.setString(1, Long.toString(last.to().xid()));
            statement.setLong(2, last.to().seq());
            statement.setString(3, Long.toString(xmin));
            statement.setLong(4, last.era().firstSeq());
            statement.setInt(5, most);
            return Trail.events(statement);
        }
    }

    private Sealing insert(Seal seal) throws SQLException {
        List<Seal.Listed> listed = seal.listed() == null ? List.of() : seal.listed();
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setLong(1, seal.number());
            statement.setInt(2, seal.era().number());
            statement.setLong(3, seal.era().system());
            statement.setInt(4, seal.era().epoch());
            statement.setLong(5, seal.era().firstSeq());
            statement.setString(6, Long.toString(seal.from().xid()));
            statement.setLong(7, seal.from().seq());
            statement.setString(8, Long.toString(seal.to().xid()));
            statement.setLong(9, seal.to().seq());
            statement.setInt(10, seal.count());
            statement.setObject(11, offset(seal.newest()));
            statement.setObject(12, offset(seal.sealedAt()));
            statement.setArray(
                    13, array("text", listed, one -> Long.toString(one.at().xid())));
            statement.setArray(14, array("int8", listed, one -> one.at().seq()));
            statement.setArray(15, array("int8", listed, Seal.Listed::digest));
            statement.setString(16, seal.listing());
            statement.setString(17, seal.contents());
            statement.setString(18, seal.previous());
            statement.setString(19, seal.hash());
            statement.execute();
        }
        return new Sealing.Done(seal);
    }

    private java.sql.Array array(String type, List<Seal.Listed> listed, Function<Seal.Listed, Object> property)
            throws SQLException {
        return connection.createArrayOf(type, listed.stream().map(property).toArray());
    }

    private static OffsetDateTime offset(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}

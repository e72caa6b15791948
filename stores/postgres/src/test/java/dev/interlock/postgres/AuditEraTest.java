package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Flaw;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.audit.StillTrail;
import dev.interlock.core.audit.Verification;
import dev.interlock.core.audit.Verifier;
import dev.interlock.core.system.SystemPorts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A trail that is copied to another server, where transactions are counted anew, is not taken for one tampered with. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class AuditEraTest {
    private static final int ALL = 1000;

    /** Transactions of the old server are numbered above those of the new one, which later comes to the same numbers. */
    @Test
    void a_copy_on_another_server_is_whole_and_goes_on() throws Exception {
        try (Server old = Server.start(15);
                Server next = Server.start(18)) {
            PGSimpleDataSource before = old.database("trail");
            PGSimpleDataSource after = next.database("trail");
            burn(before, 3000);
            refuse(before, "sealed", 5);
            sealAll(before, 2);
            refuse(before, "left", 3);
            copy(before, after);
            refuse(after, "early", 2);

            assertThat(sealAll(after, 2).getLast().era().number()).isEqualTo(2);
            refuse(after, "fresh", 4);
            burn(after, 6000);
            refuse(after, "later", 4);
            sealAll(after, 3);

            assertThat(verified(after)).isInstanceOf(Verification.Whole.class);
            assertThat(verified(after).tally()).extracting("events", "unsealed").containsExactly(18L, 0L);
            assertThat(latest(after, 18)).extracting(Event::execution).containsSubsequence("sealed", "left", "fresh");
            everythingIsStillFound(after);
        }
    }

    private static void everythingIsStillFound(PGSimpleDataSource database) throws SQLException {
        String insert =
                "INSERT INTO interlock.history SELECT name, token, event, 'planted', attempt, owner, \"user\", began_at,"
                        + " ended_at, actor, detail, clean, xid, %s FROM interlock.history WHERE execution = '%s' LIMIT 1";
        for (String planted : List.of(
                insert.formatted("1", "sealed"),
                insert.formatted("(SELECT max(seq) FROM interlock.history WHERE execution = 'left')", "fresh"),
                insert.formatted("seq", "early"),
                insert.formatted("seq + 100000", "fresh"))) {
            Server.execute(database, planted);
            assertThat(flaws(database)).as(planted).singleElement().isInstanceOf(Flaw.Inserted.class);
            Server.execute(database, "DELETE FROM interlock.history WHERE execution = 'planted'");
        }
        for (String execution : List.of("sealed", "left", "early", "later")) {
            String one =
                    "ctid = (SELECT ctid FROM interlock.history WHERE execution = '%s' LIMIT 1)".formatted(execution);
            Server.execute(database, "UPDATE interlock.history SET detail = 'changed' WHERE " + one);
            assertThat(flaws(database)).as(execution).singleElement().isInstanceOf(Flaw.Changed.class);
            Server.execute(database, "UPDATE interlock.history SET detail = NULL WHERE detail = 'changed'");
        }
        assertThat(verified(database)).isInstanceOf(Verification.Whole.class);
    }

    @Test
    void an_order_to_recover_begins_an_era() throws SQLException {
        try (Server server = Server.start(18)) {
            PGSimpleDataSource database = server.database("trail");
            refuse(database, "before", 3);
            sealAll(database, ALL);
            try (PostgresLockStore store = PostgresLockStore.open(database, SystemPorts.create())) {
                store.recover();
            }
            refuse(database, "after", 3);

            assertThat(sealAll(database, ALL).getLast().era().number()).isEqualTo(2);
            assertThat(verified(database).tally())
                    .extracting("events", "unsealed")
                    .containsExactly(6L, 0L);

            a_sealer_gives_way_to_a_transaction_that_has_drawn_a_number(database);
        }
    }

    /**
     * A: has drawn a number, stays open. The era must change; the sealer gives up soon. A commits; the era begins. A
     * writes once more, on a connection that has numbers in reserve: none of those is used.
     */
    private static void a_sealer_gives_way_to_a_transaction_that_has_drawn_a_number(PGSimpleDataSource database)
            throws SQLException {
        Server.execute(database, "UPDATE interlock.store SET epoch = epoch + 1");
        try (Session open = Session.open(database);
                PostgresAudit audit = new PostgresAudit(database)) {
            open.ask("SELECT interlock.note_refusal('x', 1, 'open', 1, 'o', 'u')");
            assertThat(audit.seal(ALL)).isEqualTo(new Sealing.GaveWay());
            open.commit();
            Sealing begun = audit.seal(ALL);
            open.ask("SELECT interlock.note_refusal('x', 1, 'again', 1, 'o', 'u')");
            open.commit();

            long first = ((Sealing.Done) begun).seal().era().firstSeq();
            assertThat(latest(database, 1).getFirst().at().seq()).isGreaterThanOrEqualTo(first);
        }
        sealAll(database, ALL);
        assertThat(verified(database)).isInstanceOf(Verification.Whole.class);
        assertThat(verified(database).tally()).extracting("events", "unsealed").containsExactly(8L, 0L);
    }

    /** As a dump that is restored: every value as it was, and the sequence where it was. */
    private static void copy(PGSimpleDataSource from, PGSimpleDataSource to) throws Exception {
        try (Connection source = from.getConnection();
                Connection target = to.getConnection()) {
            target.createStatement().execute("SET session_replication_role = replica");
            for (String table : List.of("interlock.history", "interlock.seal")) {
                ByteArrayOutputStream rows = new ByteArrayOutputStream();
                source.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT", rows);
                target.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY " + table + " FROM STDIN", new ByteArrayInputStream(rows.toByteArray()));
            }
        }
        Object last = Session.askOnce(from, "SELECT last_value FROM interlock.event");
        Session.askOnce(to, "SELECT setval('interlock.event', ?)", last);
    }

    private static void burn(PGSimpleDataSource database, int transactions) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.prepareStatement("SELECT pg_current_xact_id()")) {
            for (int number = 0; number < transactions; number++) {
                statement.execute();
            }
        }
    }

    private static void refuse(PGSimpleDataSource database, String execution, int times) throws SQLException {
        for (int time = 0; time < times; time++) {
            Session.askOnce(
                    database, "SELECT interlock.note_refusal('prod/db', ?, ?, 1, 'o', 'u')", (long) time, execution);
        }
    }

    private static List<Seal> sealAll(PGSimpleDataSource database, int most) {
        try (PostgresAudit audit = new PostgresAudit(database)) {
            while (audit.seal(most) instanceof Sealing.Done) {
                // there may be more
            }
            try (StillTrail still = audit.still()) {
                return still.seals(0, ALL);
            }
        }
    }

    private static List<Event> latest(PGSimpleDataSource database, int most) {
        try (PostgresAudit audit = new PostgresAudit(database)) {
            return audit.latest(EventFilter.ALL, most);
        }
    }

    private static Verification verified(PGSimpleDataSource database) {
        try (PostgresAudit audit = new PostgresAudit(database)) {
            return Verifier.verify(audit, null);
        }
    }

    private static List<Flaw> flaws(PGSimpleDataSource database) {
        assertThat(verified(database)).isInstanceOf(Verification.Flawed.class);
        return ((Verification.Flawed) verified(database)).flaws();
    }
}

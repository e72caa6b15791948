package dev.interlock.postgres;

import static dev.interlock.postgres.Asker.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.core.LockName;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.EventFilter;
import dev.interlock.core.audit.Flaw;
import dev.interlock.core.audit.Follower;
import dev.interlock.core.audit.Position;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Sealing;
import dev.interlock.core.audit.StillTrail;
import dev.interlock.core.audit.Verification;
import dev.interlock.core.audit.Verifier;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trail on a real server: sealed while others write, and whatever somebody with all rights does to it is found. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class AuditTest extends TrailTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int ALL = 1000;

    /** The fifth event. */
    private static final String FIFTH = "seq = (SELECT seq FROM interlock.history ORDER BY xid, seq OFFSET 4 LIMIT 1)";

    @Test
    void what_was_sealed_is_whole_and_what_was_not_is_counted() {
        use(9);
        List<Seal> seals = sealAll(4);
        use(2);

        assertThat(seals).extracting(Seal::count).containsExactly(0, 4, 4, 1);
        Seal last = seals.getLast();
        assertThat(verified())
                .isEqualTo(new Verification.Whole(new Verification.Tally(4, 9, 0, 2, last.sealedAt(), last.hash())));
    }

    @Test
    void nothing_new_is_nothing_to_seal() {
        use(3);
        sealAll(ALL);
        assertThat(audit.seal(ALL)).isEqualTo(new Sealing.NothingToDo());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name = 'prod/other'",
                "token = token + 1",
                "event = 'EXPIRED'",
                "execution = 'exec-mallory'",
                "attempt = attempt + 1",
                "owner = 'mallory-host:1:1'",
                "\"user\" = 'mallory'",
                "began_at = began_at + interval '1 microsecond'",
                "ended_at = ended_at - interval '1 microsecond'",
                "actor = 'mallory'",
                "detail = ''",
                "clean = NOT clean",
                "workflow = 'w'",
                "correlation = 'c'",
                "phase = 'COMPLETED'",
                "state = 'READY'"
            })
    void a_single_changed_value_is_found(String change) {
        Event fifth = sealed(9).get(4);
        Server.execute(database, "UPDATE interlock.history SET " + change + " WHERE " + FIFTH);

        assertThat(flaws()).singleElement().isInstanceOfSatisfying(Flaw.Changed.class, flaw -> {
            assertThat(flaw.event().at()).isEqualTo(fifth.at());
            assertThat(flaw.seal()).isEqualTo(4);
        });
    }

    @Test
    void a_missing_event_is_found() {
        Event fifth = sealed(9).get(4);
        Server.execute(database, "DELETE FROM interlock.history WHERE " + FIFTH);
        assertThat(flaws()).containsExactly(new Flaw.Missing(fifth.at(), 4));
    }

    @Test
    void an_inserted_event_is_found() {
        Event fifth = sealed(9).get(4);
        Server.execute(
                database,
                "INSERT INTO interlock.history SELECT name, token + 100, event, execution, attempt, owner, \"user\", began_at,"
                        + " ended_at, actor, detail, clean, xid, seq + 1000000 FROM interlock.history WHERE " + FIFTH);

        assertThat(flaws()).singleElement().isInstanceOfSatisfying(Flaw.Inserted.class, flaw -> {
            assertThat(flaw.event().token()).isEqualTo(fifth.token() + 100);
            assertThat(flaw.seal()).isEqualTo(4);
        });
    }

    @Test
    void reordered_events_are_found() {
        List<Event> events = sealed(9);
        Position fifth = events.get(4).at();
        Position sixth = events.get(5).at();
        Server.execute(
                database,
                "UPDATE interlock.history SET (xid, seq) = (SELECT o.xid, o.seq FROM interlock.history o WHERE o.seq IN (%1$d, %2$d) AND o.seq <> history.seq) WHERE seq IN (%1$d, %2$d)"
                        .formatted(fifth.seq(), sixth.seq()));

        assertThat(flaws()).extracting(flaw -> ((Flaw.Reordered) flaw).was()).containsExactlyInAnyOrder(fifth, sixth);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sealed_at = sealed_at + interval '1 microsecond'",
                "digests[1] = digests[1] + 1",
                "seqs = seqs || 7::bigint, xids = xids || '7'::xid8, digests = digests || 7::bigint",
                "count = count - 1",
                "to_seq = to_seq + 1",
                "epoch = epoch + 1",
                "contents = sha256('x')",
                "hash = sha256('x')"
            })
    void a_changed_seal_is_found(String change) {
        sealed(9);
        Server.execute(database, "UPDATE interlock.seal SET " + change + " WHERE number = 3");
        assertThat(flaws()).containsExactly(new Flaw.SealChanged(3));
    }

    @Test
    void a_missing_seal_is_found() {
        sealed(9);
        Server.execute(database, "DELETE FROM interlock.seal WHERE number = 3");
        assertThat(flaws()).containsExactly(new Flaw.SealsMissing(3, 3));
    }

    @Test
    void events_removed_as_if_they_were_pruned_are_found() {
        sealed(9);
        Server.execute(
                database,
                "DELETE FROM interlock.history WHERE seq IN (SELECT unnest(seqs) FROM interlock.seal WHERE number <= 2)",
                "UPDATE interlock.seal SET xids = NULL, seqs = NULL, digests = NULL WHERE number <= 2");
        assertThat(flaws()).containsExactly(new Flaw.NotPruned(1, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE interlock.history SET detail = 'x'",
                "DELETE FROM interlock.history",
                "TRUNCATE interlock.history",
                "UPDATE interlock.seal SET count = 0",
                "DELETE FROM interlock.seal",
                "TRUNCATE interlock.seal"
            })
    void the_application_can_only_add(String statement) {
        sealed(3);
        assertThatThrownBy(() -> Session.askOnce(database, statement))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("only ever added to");
        assertThat(verified()).isInstanceOf(Verification.Whole.class);
    }

    /** A: writes an event, stays open. B: writes and commits. The sealer comes. A commits. The sealer comes again. */
    @Test
    void an_event_whose_transaction_was_open_is_sealed_later_and_not_missing() throws SQLException {
        use(2);
        try (Session late = Session.open(database)) {
            late.ask("SELECT interlock.note_refusal('prod/late', 1, 'late', 1, 'o', 'u')");
            use(2);
            sealAll(ALL);
            assertThat(verified().tally()).extracting("events", "unsealed").containsExactly(2L, 2L);

            late.commit();
        }
        assertThat(verified().tally()).extracting("events", "unsealed").containsExactly(2L, 3L);
        sealAll(ALL);
        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "unsealed").containsExactly(5L, 0L);
    }

    /** The same while somebody reads along: everything once, the late one when it is there. */
    @Test
    void a_follower_sees_every_event_once_also_a_late_one() throws SQLException {
        List<String> seen = new ArrayList<>();
        Follower follower =
                new Follower(audit, new EventFilter(null, null, Set.of("REFUSED"), null), Position.START, List.of());
        try (Session late = Session.open(database);
                Session early = Session.open(database)) {
            late.ask("SELECT interlock.note_refusal('x', 1, 'late', 1, 'o', 'u')");
            early.ask("SELECT interlock.note_refusal('x', 1, 'early', 1, 'o', 'u')");
            early.commit();
            follower.next().forEach(event -> seen.add(event.execution()));
            follower.next().forEach(event -> seen.add(event.execution()));
            late.commit();
        }
        follower.next().forEach(event -> seen.add(event.execution()));
        follower.next().forEach(event -> seen.add(event.execution()));

        assertThat(seen).containsExactly("early", "late");
    }

    /** A sealer has taken its turn and not yet written; another comes. */
    @Test
    void a_second_sealer_gives_way() throws SQLException {
        use(3);
        try (Session other = Session.open(database)) {
            other.ask("SELECT pg_try_advisory_xact_lock(hashtextextended('interlock.seal', 0))");
            assertThat(audit.seal(ALL)).isEqualTo(new Sealing.GaveWay());
        }
        assertThat(sealAll(ALL)).extracting(Seal::count).containsExactly(0, 3);
    }

    @Test
    void many_sealers_beside_writers_make_one_chain() {
        var sealers = new ArrayList<java.util.concurrent.CompletableFuture<?>>();
        for (int number = 0; number < 3; number++) {
            sealers.add(Session.beside(() -> {
                try (PostgresAudit own = new PostgresAudit(database)) {
                    for (int round = 0; round < 60; round++) {
                        own.seal(3);
                    }
                }
                return null;
            }));
        }
        use(120);
        sealers.forEach(java.util.concurrent.CompletableFuture::join);
        sealAll(ALL);

        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "unsealed").containsExactly(120L, 0L);
    }

    /** Its connection is cut before its first statement, before its second, and so on, until it gets through. */
    @Test
    void a_sealer_that_is_killed_at_any_point_leaves_a_whole_trail() {
        use(5);
        sealAll(2);
        int point = 0;
        for (boolean through = false; !through; point++) {
            use(1);
            try (PostgresAudit killed = new PostgresAudit(Cut.before(point, database))) {
                through = killed.seal(ALL) instanceof Sealing.Done;
            } catch (dev.interlock.core.StoreUnavailable e) {
                assertThat(verified()).isInstanceOf(Verification.Whole.class);
            }
        }
        assertThat(point).as("statements, and the commit").isGreaterThan(5);
        sealAll(ALL);
        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "unsealed").containsExactly(5L + point, 0L);
    }

    @Test
    void pruned_events_are_told_from_missing_ones() {
        use(5);
        Server.execute(database, "UPDATE interlock.history SET ended_at = ended_at - interval '91 days'");
        sealAll(2);
        use(3);
        store.prune(Duration.ofDays(90));
        sealAll(ALL);

        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "pruned").containsExactly(4L, 5L);
        assertThat(audit.latest(EventFilter.ALL, 1))
                .extracting(Event::event, Event::token, Event::detail)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Event.PRUNED, 4L, "the events under seals 1 to 4"));
    }

    /** What nobody ever sealed is sealed before it goes. */
    @Test
    void nothing_is_pruned_that_was_not_sealed() {
        use(5);
        Server.execute(database, "UPDATE interlock.history SET ended_at = ended_at - interval '91 days'");
        store.prune(Duration.ofDays(90));

        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "pruned").containsExactly(0L, 5L);
    }

    /** One event of an old seal is young: the seal stays as a whole, and all that come after it. */
    @Test
    void a_seal_is_pruned_as_a_whole_and_in_order() {
        sealed(2);
        use(4);
        Server.execute(
                database,
                "UPDATE interlock.history SET ended_at = ended_at - interval '91 days'"
                        + " WHERE seq > (SELECT max(unnest) FROM interlock.seal, unnest(seqs))");
        store.prune(Duration.ofDays(90));

        assertThat(verified()).isInstanceOf(Verification.Whole.class);
        assertThat(verified().tally()).extracting("events", "pruned").containsExactly(6L, 0L);
    }

    @Test
    void events_are_found_by_what_they_are_about() {
        use(2);
        store.release(granted(store.acquire(Asker.named("bob", LEASE).asks(LockName.of("prod/bob")))));

        assertThat(audit.latest(new EventFilter("prod/bob", null, Set.of(), null), 10))
                .extracting(Event::execution)
                .containsExactly("exec-bob");
        assertThat(audit.latest(new EventFilter(null, "exec-bob", Set.of("RELEASED"), Duration.ofMinutes(5)), 10))
                .hasSize(1);
        assertThat(audit.latest(new EventFilter(null, null, Set.of("EXPIRED"), null), 10))
                .isEmpty();
        Server.execute(database, "UPDATE interlock.history SET ended_at = ended_at - interval '1 hour'");
        assertThat(audit.latest(new EventFilter(null, null, Set.of(), Duration.ofMinutes(5)), 10))
                .isEmpty();
        assertThat(audit.latest(EventFilter.ALL, 2))
                .hasSize(2)
                .last()
                .satisfies(event -> assertThat(event.target()).isEqualTo("prod/bob"));
    }

    /** So many events under seals of two each; seal 1 is the one that opens the era. */
    private List<Event> sealed(int events) {
        use(events);
        sealAll(2);
        List<Event> all = new ArrayList<>();
        try (StillTrail still = audit.still()) {
            still.seals(0, ALL).forEach(seal -> all.addAll(still.under(seal)));
        }
        return all;
    }

    private List<Seal> sealAll(int most) {
        while (audit.seal(most) instanceof Sealing.Done) {
            // there may be more
        }
        try (StillTrail still = audit.still()) {
            return still.seals(0, ALL);
        }
    }

    private Verification verified() {
        return Verifier.verify(audit, null);
    }

    private List<Flaw> flaws() {
        assertThat(verified()).isInstanceOf(Verification.Flawed.class);
        return ((Verification.Flawed) verified()).flaws();
    }
}

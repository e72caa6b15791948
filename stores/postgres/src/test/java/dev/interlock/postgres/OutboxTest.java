package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.Outbox.WakeUp;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Wake-ups are written with what is submitted, taken by one relay at a time, and never stand in anybody's way. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class OutboxTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TAKEN = Duration.ofMinutes(2);
    private static final Catalogue DECLARED = new Catalogue(Map.of("deploy", Workflow.plain("deploy")), Map.of());

    private static Server server;
    private static PGSimpleDataSource database;

    private final List<PostgresOutbox> opened = new ArrayList<>();
    private PostgresOutbox outbox;
    private PostgresWork work;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("outbox");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void empty() {
        PostgresWork.empty(database, DECLARED);
        Server.execute(
                database,
                "TRUNCATE interlock.outbox RESTART IDENTITY",
                "UPDATE interlock.store SET transport = NULL, transport_until = NULL");
        work = PostgresWork.open(database, DECLARED);
        outbox = another();
    }

    @AfterEach
    void close() {
        opened.forEach(PostgresOutbox::close);
        work.close();
    }

    @Test
    void nothing_is_written_while_no_relay_has_asked() throws SQLException {
        submit("a");

        assertThat(taken(outbox)).isEmpty();
    }

    @Test
    void each_execution_of_a_submit_leaves_a_wake_up_in_order() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        List<Submission> ab = submit("a,b");
        List<Submission> c = submit("c");

        List<WakeUp> taken = outbox.take(10, TAKEN);
        assertThat(taken).extracting(WakeUp::target).containsExactly("a", "b", "c");
        assertThat(taken)
                .extracting(WakeUp::execution)
                .containsExactlyElementsOf(Stream.of(ab, c)
                        .flatMap(List::stream)
                        .map(one -> one.execution().id())
                        .toList());
    }

    @Test
    void what_was_refused_when_it_was_submitted_wakes_nobody() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        work.executions().submit(List.of(Request.of("unknown", "a", Map.of(), "me")));

        assertThat(taken(outbox)).isEmpty();
    }

    @Test
    void a_submit_that_is_undone_wakes_nobody() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        try (Connection embedding = database.getConnection()) {
            embedding.setAutoCommit(false);
            work.executions().submit(embedding, request("a"));
            assertThat(taken(outbox)).as("before it commits").isEmpty();
            embedding.rollback();
        }

        assertThat(taken(outbox)).isEmpty();
    }

    /** One long transaction has number 1 and commits last; a relay that remembered how far it was would miss it. */
    @Test
    void a_wake_up_that_is_committed_late_is_not_passed_over() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        try (Connection embedding = database.getConnection()) {
            embedding.setAutoCommit(false);
            work.executions().submit(embedding, request("slow"));
            submit("quick");
            outbox.sent(outbox.take(10, TAKEN));
            embedding.commit();
        }

        assertThat(taken(outbox)).containsExactly("slow");
    }

    @Test
    void the_outbox_stops_growing_when_no_relay_has_asked_for_an_hour() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        Server.execute(database, "UPDATE interlock.store SET transport_until = transport_until - interval '1 hour'");
        submit("a");

        assertThat(Session.askOnce(database, "SELECT count(*) FROM interlock.outbox"))
                .isEqualTo(0L);
    }

    @Test
    void a_transport_that_is_shut_forgets_what_was_left_until_a_relay_opens_it_again() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        submit("a");

        outbox.shut();
        submit("b");
        assertThat(Session.askOnce(database, "SELECT count(*) FROM interlock.outbox"))
                .isEqualTo(0L);

        outbox.open("sqs://jobs.fifo", HOUR);
        submit("c");
        assertThat(taken(outbox)).containsExactly("c");
    }

    @Test
    void what_one_relay_has_taken_another_may_take_only_after_its_time() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        submit("a");
        PostgresOutbox other = another();

        assertThat(taken(outbox)).containsExactly("a");
        assertThat(taken(other)).isEmpty();
        Server.execute(database, "UPDATE interlock.outbox SET taken_until = taken_until - interval '2 minutes'");
        assertThat(taken(other)).containsExactly("a");
    }

    @Test
    void what_was_sent_is_gone() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        submit("a,b");
        outbox.sent(outbox.take(1, TAKEN));

        assertThat(Session.askOnce(database, "SELECT string_agg(target, ',') FROM interlock.outbox"))
                .isEqualTo("b");
    }

    @Test
    void what_does_not_wait_any_more_is_forgotten() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        submit("over,waits");
        Server.execute(
                database, "UPDATE interlock.execution SET phase = 'COMPLETED', turn = NULL WHERE target = 'over'");

        assertThat(taken(outbox)).containsExactly("waits");
        assertThat(Session.askOnce(database, "SELECT string_agg(target, ',') FROM interlock.outbox"))
                .isEqualTo("waits");
    }

    /**
     * One relay is in the middle of taking: its rows are locked and not yet committed. The other must neither wait for
     * them nor take them.
     */
    @Test
    void a_relay_passes_over_what_another_is_taking_at_this_moment() throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        submit("a,b");
        try (Session taking = Session.open(database)) {
            taking.ask("UPDATE interlock.outbox SET taken_until = 'infinity' WHERE target = 'a'");

            assertThat(taken(outbox)).containsExactly("b");
            taking.rollback();
        }
    }

    @Test
    void relays_that_race_share_all_wake_ups_between_them() throws SQLException {
        assertThat(sharedBy(() -> taken(outbox), () -> taken(another()))).isTrue();
    }

    /** Two that look without taking both have the oldest: the rule above must notice. */
    @Test
    void looking_without_taking_is_caught() throws SQLException {
        Supplier<List<String>> looking = () -> {
            try {
                Object seen = Session.askOnce(
                        database,
                        "SELECT string_agg(target, ',') FROM (SELECT target FROM interlock.outbox ORDER BY id LIMIT 10) o");
                return List.of(String.valueOf(seen).split(",", -1));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };

        assertThat(sharedBy(looking, looking)).isFalse();
    }

    /** Whether both together had each of 200 exactly once, each asking ten times for ten while the other does. */
    private boolean sharedBy(Supplier<List<String>> one, Supplier<List<String>> other) throws SQLException {
        outbox.open("sqs://jobs.fifo", HOUR);
        List<String> all = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            all.add("e" + number);
        }
        submit(String.join(",", all));
        var ofOther = Session.beside(() -> tenTimes(other));
        List<String> had = tenTimes(one);
        had.addAll(ofOther.join());
        return had.size() == all.size() && new HashSet<>(had).equals(new HashSet<>(all));
    }

    private static List<String> tenTimes(Supplier<List<String>> asking) {
        List<String> had = new ArrayList<>();
        for (int time = 0; time < 10; time++) {
            had.addAll(asking.get());
        }
        return had;
    }

    private PostgresOutbox another() {
        PostgresOutbox another = PostgresOutbox.open(database, SystemPorts.create());
        synchronized (opened) {
            opened.add(another);
        }
        return another;
    }

    private static List<String> taken(PostgresOutbox from) {
        return from.take(10, TAKEN).stream().map(WakeUp::target).toList();
    }

    private List<Submission> submit(String targets) {
        return work.executions()
                .submit(Stream.of(targets.split(",", -1))
                        .map(OutboxTest::request)
                        .toList());
    }

    private static Request request(String target) {
        return Request.of("deploy", target, Map.of(), "me");
    }
}

package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.work.Declared;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What a start of work on a resource meets: somebody who wants its name, or its lock, at the same time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class ResourceRaceTest {
    private static final String OLD = "clusters/old";
    private static final String NEW = "clusters/new";
    private static final String REGISTER_NEW = """
            INSERT INTO interlock.resource (target, lifecycle, state, fields, unique_name, registered_by, registered_at)
            VALUES ('clusters/new', 'cluster', 'PENDING', '{"name": "blue"}', '{blue}', 'somebody', clock_timestamp())""";

    private static final String HOLD_OLD = """
            WITH l AS (INSERT INTO interlock.lease (id, owner, "user", duration, renewed_at, expires_at)
                       VALUES (gen_random_uuid(), 'somebody', 'somebody', '1 hour', now(), now() + interval '1 hour') RETURNING id)
            INSERT INTO interlock.lock (name, token, held, lease, execution, attempt, owner, "user", acquired_at)
            SELECT 'clusters/old', 1, true, l.id, 'by hand', 1, 'somebody', 'somebody', now() FROM l""";

    private static Server server;
    private static PGSimpleDataSource database;
    private PostgresWork work;
    private Session other;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("names");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        PostgresWork.empty(database, Declared.ALL);
        work = PostgresWork.open(database, Declared.ALL);
        other = Session.open(database);
        work.register(OLD, "cluster", Map.of("name", "blue"));
        Server.execute(database, "UPDATE interlock.resource SET state = 'DESTROYED', unique_name = NULL");
    }

    @AfterEach
    void close() throws Exception {
        other.close();
        work.close();
    }

    // whoever registers the new one                 the claim that revives the old one
    // takes the name
    //                                               sees that nobody has the name, and waits to take it
    // commits
    //                                               is told that the name is taken, looks again, and sees by whom
    @Test
    void a_name_that_is_taken_between_the_look_and_the_start_is_refused_by_its_name() throws Exception {
        Execution revival = submit();
        other.ask(REGISTER_NEW);
        CompletableFuture<List<Claimed>> claim = Session.beside(this::claim);
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(claim.join()).isEmpty();
        assertThat(now(revival).ending())
                .isInstanceOfSatisfying(
                        Ending.Skipped.class, how -> assertThat(how.sentence()).contains("'" + NEW + "'"));
        assertThat(work.resource(OLD).state()).isEqualTo("DESTROYED");
    }

    // The same, but whoever registers the new one gives up: the claim was right to wait, and gets the name.
    @Test
    void a_name_that_was_nearly_taken_is_free() throws Exception {
        Execution revival = submit();
        other.ask(REGISTER_NEW);
        CompletableFuture<List<Claimed>> claim = Session.beside(this::claim);
        Session.awaitBlocked(database, 1);

        other.rollback();

        assertThat(claim.join()).extracting(one -> one.execution().id()).containsExactly(revival.id());
        assertThat(work.resource(OLD).state()).isEqualTo("CREATING");
    }

    // somebody who wants the lock by itself         the claim that revives the old one
    // makes the first row of that lock
    //                                               sees no lock, and waits to make its row
    // commits, and holds the lock
    //                                               cannot start: the resource must be as it was
    @Test
    void a_resource_is_not_moved_when_its_lock_goes_to_somebody_else_in_the_last_moment() throws Exception {
        Execution revival = submit();
        other.ask(HOLD_OLD);
        CompletableFuture<List<Claimed>> claim = Session.beside(this::claim);
        Session.awaitBlocked(database, 1);

        other.commit();

        assertThat(claim.join()).isEmpty();
        assertThat(now(revival).phase()).isEqualTo(Phase.PENDING);
        assertThat(work.resource(OLD).state()).isEqualTo("DESTROYED");
    }

    private Execution submit() {
        return work.executions()
                .submit(List.of(Request.of("REVIVE", OLD, Map.of(), "alice")))
                .getFirst()
                .execution();
    }

    private List<Claimed> claim() {
        Identity ada = new Identity("ada-host:1:" + UUID.randomUUID(), "ada");
        Duration seconds = Duration.ofSeconds(30);
        Lease lease = new Lease(UUID.randomUUID(), ada.owner(), ada.user(), seconds);
        return work.executions()
                .claim(new Claimant(ada, Map.of(seconds, lease), Set.of("cluster/REVIVE")), 1)
                .started();
    }

    private Execution now(Execution execution) {
        return work.executions().find(execution.id()).orElseThrow().execution();
    }
}

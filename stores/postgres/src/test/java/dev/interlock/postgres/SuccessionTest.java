package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finished;
import dev.interlock.core.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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

/** What is next in line starts with the end of the one before it, if that is fair. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class SuccessionTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Catalogue DECLARED =
            new Catalogue(Map.of("deploy", Workflow.plain("deploy"), "backup", Workflow.plain("backup")), Map.of());

    private static Server server;
    private static PGSimpleDataSource database;
    private final Claimant worker = worker("deploy", "backup");
    private PostgresWork work;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("succession");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        PostgresWork.empty(database, DECLARED);
        work = PostgresWork.open(database, DECLARED);
    }

    @AfterEach
    void close() {
        work.close();
    }

    @Test
    void the_next_in_line_starts_with_the_end_of_the_one_before_it() {
        List<Execution> line = submit("api", "api", "api");
        Claimed first = claim(worker, 10).getFirst();

        Finished finished = complete(first, worker, 5);

        assertThat(finished.answers()).hasOnlyElementsOfType(Transition.Moved.class);
        assertThat(ids(finished)).containsExactly(line.get(1).id());
        Claimed second = finished.next().getFirst();
        assertThat(second.token()).isEqualTo(first.token() + 1);
        assertThat(work.executions().running(worker))
                .extracting(running -> running.claimed().execution().id())
                .containsExactly(line.get(1).id());
        assertThat(ids(complete(second, worker, 5))).containsExactly(line.get(2).id());
    }

    @Test
    void nobody_who_is_ahead_elsewhere_is_passed() {
        submit("api", "api");
        Claimed first = claim(worker, 10).getFirst();
        List<Execution> elsewhere = submit("web");
        Server.execute(
                database,
                "UPDATE interlock.execution SET submitted_at = submitted_at - interval '1 minute' WHERE target = 'web'");

        assertThat(complete(first, worker, 5).next()).isEmpty();

        assertThat(claim(worker, 10))
                .extracting(one -> one.execution().id())
                .contains(elsewhere.getFirst().id());
    }

    @Test
    void who_has_no_room_gets_nothing_and_what_is_next_can_be_claimed() {
        List<Execution> line = submit("api", "api");
        Claimed first = claim(worker, 10).getFirst();

        assertThat(complete(first, worker, 0).next()).isEmpty();

        assertThat(claim(worker, 10))
                .extracting(one -> one.execution().id())
                .containsExactly(line.get(1).id());
    }

    @Test
    void only_what_is_offered_is_handed_over() {
        submit("api");
        work.executions().submit(List.of(Request.of("backup", "api", Map.of(), "alice")));
        Claimed first = claim(worker, 10).getFirst();

        assertThat(complete(first, worker("deploy"), 5).next()).isEmpty();
    }

    @Test
    void nothing_starts_on_a_lease_that_has_ended_and_the_end_is_told_nevertheless() {
        submit("api", "api");
        Claimed first = claim(worker, 10).getFirst();
        Claimant late = worker("deploy");

        Finished finished = complete(first, late, 5);

        assertThat(finished.answers()).hasOnlyElementsOfType(Transition.Moved.class);
        assertThat(finished.next())
                .as("on a lease that the store does not know")
                .isEmpty();
    }

    @Test
    void a_repeated_end_starts_nobody_again() {
        submit("api", "api", "api");
        Claimed first = claim(worker, 10).getFirst();
        complete(first, worker, 5);

        Finished again = complete(first, worker, 5);

        assertThat(again.answers()).hasOnlyElementsOfType(Transition.Moved.class);
        assertThat(again.next()).isEmpty();
    }

    private List<Execution> submit(String... targets) {
        return Stream.of(targets)
                .map(target -> work.executions()
                        .submit(List.of(Request.of("deploy", target, Map.of(), "alice")))
                        .getFirst()
                        .execution())
                .toList();
    }

    /** All that can start; what stands in line is parked by it. */
    private List<Claimed> claim(Claimant claimant, int most) {
        return work.executions().claim(claimant, most).started();
    }

    private Finished complete(Claimed claimed, Claimant claimant, int most) {
        Finish finish = new Finish(
                claimed.execution().id(),
                claimed.execution().request().target(),
                claimed.token(),
                new Finish.Outcome.Completed(0));
        return work.executions().finish(List.of(finish), claimant, most);
    }

    private static List<String> ids(Finished finished) {
        return finished.next().stream().map(one -> one.execution().id()).toList();
    }

    private static Claimant worker(String... offers) {
        Identity identity = new Identity("ada-host:1:" + UUID.randomUUID(), "ada");
        Lease lease = new Lease(UUID.randomUUID(), identity.owner(), identity.user(), LEASE);
        return new Claimant(identity, Map.of(LEASE, lease), Set.of(offers));
    }
}

package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Acquisition;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LockName;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Cancellation;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finished;
import dev.interlock.core.workflow.Workflow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Two that want the same execution or target at once: each interleaving is written down and forced. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class ExecutionRaceTest {
    private static final String TARGET = "production/deployment/payment-api";
    private static final Catalogue DECLARED = new Catalogue(Map.of("deploy", Workflow.plain("deploy")), Map.of());

    private static Server server;
    private static PGSimpleDataSource database;
    private final Claimant ada = worker("ada");
    private final Claimant grace = worker("grace");
    private PostgresWork work;
    private PostgresWork elsewhere;
    private Session other;

    @BeforeAll
    static void startServer() {
        server = Server.start(18);
        database = server.database("races");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        PostgresWork.empty(database, DECLARED);
        work = PostgresWork.open(database, DECLARED);
        elsewhere = PostgresWork.open(database, DECLARED);
        other = Session.open(database);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        elsewhere.close();
        work.close();
    }

    /**
     * The finish has the lock's row and has looked for whom to make ready. The claim that would park the next one is
     * waiting for that row: when it gets it, nobody works on the target any more. It has the row of the next one, so
     * that a finish with room for more leaves it alone.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void nobody_is_parked_behind_one_that_has_just_ended(int room) throws Exception {
        submit();
        Claimed first = claim(ada);
        Execution second = submit();
        lockRow();
        CompletableFuture<Finished> finish =
                Session.beside(() -> work.executions().finish(List.of(completed(first)), ada, room));
        Session.awaitBlocked(database, 1);
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> elsewhere.executions().claim(grace, 10).started());
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(finish.join().answers()).hasOnlyElementsOfType(Transition.Moved.class);
        List<Claimed> claimed = new ArrayList<>(claim.join());
        claimed.addAll(finish.join().next());
        claimed.addAll(work.executions().claim(ada, 10).started());
        assertThat(claimed).extracting(one -> one.execution().id()).containsExactly(second.id());
    }

    /** The same, the claim first: it parks, and the finish that follows makes ready, or starts it itself. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void one_that_was_parked_just_before_the_end_is_made_ready_by_it(int room) throws Exception {
        submit();
        Claimed first = claim(ada);
        Execution second = submit();
        lockRow();
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> elsewhere.executions().claim(grace, 10).started());
        Session.awaitBlocked(database, 1);
        CompletableFuture<Finished> finish =
                Session.beside(() -> work.executions().finish(List.of(completed(first)), ada, room));
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(finish.join().answers()).hasOnlyElementsOfType(Transition.Moved.class);
        List<Claimed> claimed = new ArrayList<>(claim.join());
        claimed.addAll(finish.join().next());
        claimed.addAll(work.executions().claim(ada, 10).started());
        assertThat(claimed).extracting(one -> one.execution().id()).containsExactly(second.id());
    }

    /** The same, but the one ahead is handed back: the claim saw it running, and then it is ahead again. */
    @Test
    void one_that_was_running_when_the_claim_began_and_waits_again_is_not_passed() throws Exception {
        Execution first = submit();
        Claimed running = claim(ada);
        Execution second = submit();
        lockRow();
        Finish handedBack = Finish.of(running, new Finish.Outcome.HandedBack("drained"));
        CompletableFuture<List<Transition>> finish =
                Session.beside(() -> work.executions().finish(List.of(handedBack)));
        Session.awaitBlocked(database, 1);
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> elsewhere.executions().claim(grace, 10).started());
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(finish.join()).hasOnlyElementsOfType(Transition.Moved.class);
        List<Claimed> claimed = new ArrayList<>(claim.join());
        claimed.addAll(elsewhere.executions().claim(grace, 10).started());
        assertThat(claimed)
                .extracting(one -> one.execution().id())
                .containsExactly(first.id())
                .doesNotContain(second.id());
    }

    /** The claim found the target free, and waits for the row of its lock while somebody else gets it. */
    @Test
    void what_somebody_took_while_the_claim_waited_for_it_is_not_taken_again() throws Exception {
        submit();
        complete(work, claim(ada));
        submit();
        lockRow();
        CompletableFuture<Acquisition> taken = Session.beside(() ->
                work.locks().acquire(Asker.named("bob", Duration.ofHours(1)).asks(LockName.of(TARGET))));
        Session.awaitBlocked(database, 1);
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> elsewhere.executions().claim(grace, 10).started());
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(claim.join()).isEmpty();
        assertThat(work.locks().find(LockName.of(TARGET)).orElseThrow().token())
                .isEqualTo(Asker.granted(taken.join()).token());
    }

    /** Whoever had the row meanwhile may have ended something: an attempt that began before would overlap with that. */
    @Test
    void an_attempt_begins_when_the_row_of_its_lock_is_its_own() throws Exception {
        submit();
        complete(work, claim(ada));
        submit();
        lockRow();
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> work.executions().claim(ada, 1).started());
        Session.awaitBlocked(database, 1);
        OffsetDateTime free = other.now();

        other.commit();

        assertThat(claim.join()).singleElement().satisfies(one -> {
            assertThat(one.attempt().startedAt()).isAfter(free.toInstant());
            assertThat(one.lock().grant().acquiredAt()).isEqualTo(one.attempt().startedAt());
        });
    }

    /** A submission that has not committed when the finish looks for whom to make ready arrives ready by itself. */
    @Test
    void what_commits_after_the_finish_has_looked_is_not_left_behind() throws Exception {
        submit();
        Claimed first = claim(ada);
        try (Connection mine = database.getConnection()) {
            mine.setAutoCommit(false);
            Submission late = work.executions().submit(mine, request());
            complete(work, first);
            assertThat(work.executions().claim(ada, 10).started()).isEmpty();
            mine.commit();

            assertThat(claim(grace).execution().id()).isEqualTo(late.execution().id());
        }
    }

    /** Both have found the same target free, and neither its lock's row, which does not exist yet. */
    @Test
    void of_two_claims_of_a_target_that_was_never_locked_one_wins() throws Exception {
        submit();
        submit();
        other.ask("LOCK TABLE interlock.lock IN SHARE MODE");
        CompletableFuture<List<Claimed>> one =
                Session.beside(() -> work.executions().claim(ada, 1).started());
        CompletableFuture<List<Claimed>> two =
                Session.beside(() -> elsewhere.executions().claim(grace, 1).started());
        Session.awaitBlocked(database, 2);

        other.commit();

        assertThat(one.join().size() + two.join().size()).isEqualTo(1);
    }

    /** The claim has the execution's row and waits for the lock's; the cancel must not wait for it the other way round. */
    @Test
    void a_cancel_and_a_claim_do_not_wait_for_each_other() throws Exception {
        submit();
        complete(work, claim(ada));
        Execution wanted = submit();
        lockRow();
        CompletableFuture<List<Claimed>> claim =
                Session.beside(() -> work.executions().claim(ada, 1).started());
        Session.awaitBlocked(database, 1);
        CompletableFuture<Cancellation> cancel =
                Session.beside(() -> elsewhere.executions().cancel(wanted.id(), "bob", "no"));
        Session.awaitBlocked(database, 2);

        other.commit();

        Cancellation answer = cancel.join();
        boolean started = !claim.join().isEmpty();
        assertThat(answer).isInstanceOf(started ? Cancellation.Stopping.class : Cancellation.Cancelled.class);
    }

    /** The lease ends, somebody who waits for the lock looks and gets it, and only then the completion arrives. */
    @Test
    void a_completion_after_a_waiter_took_over_changes_nothing() throws Exception {
        submit();
        Claimed first = claim(ada);
        PostgresWork.age(database, Duration.ofHours(1));
        Acquisition taken =
                work.locks().acquire(Asker.named("bob", Duration.ofHours(1)).asks(LockName.of(TARGET)));

        assertThat(complete(work, first)).isInstanceOf(Transition.Stale.class);
        assertThat(work.locks().find(LockName.of(TARGET)).orElseThrow().token())
                .isEqualTo(Asker.granted(taken).token());
        assertThat(Session.askOnce(database, "SELECT detail FROM interlock.history WHERE event = 'STALE'"))
                .isNotNull();
    }

    // the worker's claim                         the server
    //                                            starts the execution, and commits
    // its connection breaks: no answer
    // claims again: nothing is left to start
    // asks what runs here: finds it
    @Test
    void what_a_claim_started_whose_answer_was_lost_is_found_among_what_runs() {
        Execution submitted = submit();
        Claiming lost = new Claiming(
                ada, new Declarations.Kept(0, DECLARED), work.locks().channel());
        work.locks()
                .connections()
                .with(connection -> lost.claim(connection, UUID.randomUUID(), 10, Floor.Place.BEGINNING));

        assertThat(work.executions().claim(ada, 10).started()).isEmpty();

        assertThat(work.executions().running(ada))
                .extracting(running -> running.claimed().execution().id())
                .containsExactly(submitted.id());
        assertThat(elsewhere.executions().running(grace)).isEmpty();
    }

    @Test
    void ten_thousand_in_one_line_keep_their_order() {
        List<String> submitted =
                work
                        .executions()
                        .submit(IntStream.range(0, 10_000)
                                .mapToObj(n -> request())
                                .toList())
                        .stream()
                        .map(answer -> answer.execution().id())
                        .toList();
        List<String> ran = new ArrayList<>();
        while (ran.size() < 300) {
            List<Claimed> claimed = (ran.size() % 2 == 0 ? work : elsewhere)
                    .executions()
                    .claim(ada, 16)
                    .started();
            if (claimed.isEmpty()) {
                PostgresWork.age(database, Duration.ofSeconds(1));
            }
            for (Claimed one : claimed) {
                ran.add(one.execution().id());
                assertThat(complete(work, one)).isInstanceOf(Transition.Moved.class);
            }
        }

        assertThat(ran).isEqualTo(submitted.subList(0, ran.size()));
    }

    @Test
    void a_submission_inside_a_transaction_that_is_undone_never_was() throws Exception {
        try (Connection mine = database.getConnection()) {
            mine.setAutoCommit(false);
            Submission undone = work.executions().submit(mine, request());
            mine.rollback();

            assertThat(work.executions().find(undone.execution().id())).isEmpty();
            assertThat(Session.askOnce(database, "SELECT count(*) FROM interlock.history"))
                    .isEqualTo(0L);
        }
    }

    /** Both look for an identical open one before either has committed. */
    @Test
    void of_two_that_join_inside_transactions_the_second_waits_for_the_first() throws Exception {
        try (Connection mine = database.getConnection()) {
            mine.setAutoCommit(false);
            Submission first = work.executions().submit(mine, request().withOnBusy(OnBusy.JOIN));
            CompletableFuture<List<Submission>> second = Session.beside(
                    () -> elsewhere.executions().submit(List.of(request().withOnBusy(OnBusy.JOIN))));
            Session.awaitBlocked(database, 1);
            mine.commit();

            assertThat(second.join()).containsExactly(new Submission.Joined(first.execution()));
        }
    }

    /** A worker that found nothing is called by a submission elsewhere. */
    @Test
    void an_idle_worker_is_called() throws Exception {
        LinkedBlockingQueue<String> calls = new LinkedBlockingQueue<>();
        work.executions().onWork(() -> calls.add("call"));
        assertThat(work.executions().claim(ada, 1).started()).isEmpty();
        Session.awaitTrue(database, "SELECT count(*) = 1 FROM interlock.idle");
        Session.awaitTrue(database, "SELECT count(*) >= 1 FROM pg_stat_activity WHERE query = 'LISTEN interlock_work'");
        while (calls.poll(300, TimeUnit.MILLISECONDS) != null) {
            // Looks that are not due to the submission.
        }

        elsewhere.executions().submit(List.of(request()));

        assertThat(calls.poll(20, TimeUnit.SECONDS)).isEqualTo("call");
        assertThat(work.executions().claim(ada, 1).started()).hasSize(1);
        assertThat(Session.askOnce(database, "SELECT count(*) FROM interlock.idle"))
                .isEqualTo(0L);
    }

    /** Hazard 21: what is done to the tables around it does not free a target. */
    @Test
    void a_resource_or_execution_that_is_deleted_leaves_its_lock_alone() throws Exception {
        submit();
        Claimed first = claim(ada);
        Session.askOnce(database, "DELETE FROM interlock.execution");

        assertThat(work.locks().find(LockName.of(TARGET)).orElseThrow().token()).isEqualTo(first.token());
        assertThat(complete(work, first)).isInstanceOf(Transition.Stale.class);
    }

    /** The belt: even without a lock, the table refuses a second one that runs. */
    @Test
    void two_cannot_run_on_one_target_even_if_the_lock_is_lost() throws Exception {
        submit();
        claim(ada);
        submit();
        Session.askOnce(database, "DELETE FROM interlock.lock");

        assertThat(elsewhere.executions().claim(grace, 10).started()).isEmpty();
    }

    private Execution submit() {
        return work.executions().submit(List.of(request())).getFirst().execution();
    }

    private static Request request() {
        return Request.of("deploy", TARGET, Map.of(), "alice");
    }

    private Claimed claim(Claimant worker) {
        List<Claimed> all = work.executions().claim(worker, 10).started();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static Transition complete(PostgresWork work, Claimed claimed) {
        return work.executions().finish(List.of(completed(claimed))).getFirst();
    }

    private static Finish completed(Claimed claimed) {
        return Finish.of(claimed, new Finish.Outcome.Completed(0));
    }

    private void lockRow() throws SQLException {
        other.ask("SELECT token FROM interlock.lock WHERE name = ? FOR UPDATE", TARGET);
    }

    private static Claimant worker(String name) {
        Identity identity = new Identity(name + "-host:4711:" + UUID.randomUUID(), name + "@example.com");
        Duration lease = Workflow.plain("deploy").policy().lease();
        return new Claimant(
                identity,
                Map.of(lease, new Lease(UUID.randomUUID(), identity.owner(), identity.user(), lease)),
                Set.of("deploy"));
    }
}

package dev.interlock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Standing;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with executions in it, a janitor, and short words for what happens there. */
final class Household implements AutoCloseable {
    static final String TARGET = "production/db";
    static final String CLUSTER = "clusters/blue";
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration HOUR = Duration.ofHours(1);
    static final Patience PATIENCE =
            new Patience(Duration.ofSeconds(10), Duration.ZERO, Duration.ofMinutes(90), HOUR, Duration.ofDays(14), 3);

    /** May not be repeated; a lost runner closes the target. */
    static final Workflow DEPLOY = Workflow.plain("deploy").withPolicy(Policy.PLAIN.withBlock(Scope.TARGET));

    /** May be repeated as often as it takes. */
    static final Workflow BACKUP = Workflow.plain("backup")
            .withPolicy(Policy.PLAIN
                    .withRetry(Retry.DEFAULT.withAttempts(10).withAfterLoss(true))
                    .withTimeout(Duration.ofMinutes(10)));

    private static final Lifecycle CLUSTERS = new Lifecycle(new Declaration(
            word("cluster"),
            words("PENDING", "CREATING", "READY", "SCALING", "DESTROYING", "DESTROYED", "FAILED"),
            word("PENDING"),
            List.of(
                    step("CREATE", words("PENDING"), "CREATING", "READY", false),
                    step("SCALE_WORKERS", words("READY"), "SCALING", "READY", true),
                    step("DESTROY", words("READY", "FAILED"), "DESTROYING", "DESTROYED", false),
                    step("JANITOR_DESTROY", words("READY", "FAILED"), "DESTROYING", "DESTROYED", false)),
            null));

    private static final Catalogue DECLARED =
            new Catalogue(Map.of("deploy", DEPLOY, "backup", BACKUP), Map.of("cluster", CLUSTERS));

    final PGSimpleDataSource database;
    final PostgresWork work;
    final PostgresJanitor janitor;
    final PostgresDeadLetters dead;

    private Household(PGSimpleDataSource database) {
        this.database = database;
        this.work = PostgresWork.open(database, DECLARED);
        this.janitor = new PostgresJanitor(work.locks(), work.executions(), work.catalogue());
        this.dead = new PostgresDeadLetters(work.locks(), work.executions());
    }

    static Household open(PGSimpleDataSource database) {
        PostgresWork.empty(database, DECLARED);
        return new Household(database);
    }

    /** Another janitor at the same database. */
    PostgresJanitor another(PostgresWork elsewhere) {
        return new PostgresJanitor(elsewhere.locks(), elsewhere.executions(), elsewhere.catalogue());
    }

    Execution submit(String workflow, String target) {
        Submission answer = work.executions()
                .submit(List.of(Request.of(workflow, target, Map.of(), "alice")))
                .getFirst();
        assertThat(answer).isInstanceOf(Submission.New.class);
        return answer.execution();
    }

    /** A worker with a lease of its own starts what must be exactly one execution. */
    Claimed claim(String worker) {
        List<Claimed> claimed = claimAll(worker);
        assertThat(claimed).hasSize(1);
        return claimed.getFirst();
    }

    List<Claimed> claimAll(String worker) {
        Identity identity = new Identity(worker + ":1:" + UUID.randomUUID(), worker);
        Lease lease = new Lease(UUID.randomUUID(), identity.owner(), worker, LEASE);
        Set<String> offers = Set.of(
                "deploy",
                "backup",
                "cluster/CREATE",
                "cluster/SCALE_WORKERS",
                "cluster/DESTROY",
                "cluster/JANITOR_DESTROY");
        return work.executions()
                .claim(new Claimant(identity, Map.of(LEASE, lease), offers), 10)
                .started();
    }

    Claimed start(String workflow, String target) {
        submit(workflow, target);
        return claim("worker");
    }

    Transition complete(Claimed claimed) {
        return work.executions()
                .finish(List.of(Finish.of(claimed, new Finish.Outcome.Completed(0))))
                .getFirst();
    }

    List<Finding> look() {
        return janitor.look(PATIENCE, 100).findings();
    }

    List<Finding> inspect() {
        return janitor.inspect(PATIENCE, HOUR, 100);
    }

    /** Puts right what must be exactly one finding. */
    Deed act(List<Finding> found) {
        assertThat(found).hasSize(1);
        return janitor.act(found.getFirst(), PATIENCE);
    }

    /** Its worker dies, and the janitor finds that. */
    Deed lose() {
        age(LEASE.plus(PATIENCE.grace()));
        return act(look());
    }

    void age(Duration elapsed) {
        PostgresWork.age(database, elapsed);
    }

    Execution now(Claimed claimed) {
        return standing(claimed.execution().id()).execution();
    }

    Standing standing(String id) {
        return work.executions().find(id).orElseThrow();
    }

    Lock lock(String target) {
        return work.locks().find(LockName.of(target)).orElseThrow();
    }

    Ask stranger(String target) {
        UUID id = UUID.randomUUID();
        Lease lease = new Lease(id, "laptop:1:" + id, "bob", Duration.ofDays(1));
        return new Ask(LockName.of(target), new Holder("run-" + id, 1, lease.owner(), "bob"), lease);
    }

    /** The events of one kind, each as its phase and state. */
    Object ask(String sql, Object... parameters) {
        try {
            return Session.askOnce(database, sql, parameters);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    long events(String event) {
        return (Long) ask("SELECT count(*) FROM interlock.history WHERE event = ?", event);
    }

    @Override
    public void close() {
        work.close();
    }

    private static Step step(String name, List<Word> from, String during, String success, boolean safe) {
        Policy policy = Policy.PLAIN.withRetry(Retry.DEFAULT.withAfterLoss(safe));
        return new Step(
                word(name),
                from,
                word(during),
                word(success),
                word("FAILED"),
                Workflow.plain(name).withPolicy(policy));
    }

    private static List<Word> words(String... texts) {
        return Stream.of(texts).map(Household::word).toList();
    }

    private static Word word(String text) {
        return new Word(text, 0);
    }
}

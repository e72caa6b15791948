package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.app.InProcess.Said;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Retry;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.WorkStores;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.embedded.Address;
import dev.interlock.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dead letters, clearing and the janitor by the command, on a real server; each test has a target of its own. */
class DeadCommandsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static Path base;
    private static Map<String, String> environment;
    private static WorkStores work;
    private static Address address;

    @BeforeAll
    static void start() throws IOException {
        base = Files.createTempDirectory("interlock-app");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        environment = Map.of("INTERLOCK_HOME", base.resolve("home").toString());
        address = new EmbeddedPostgres(base.resolve("home"), notice -> {}).address();
        work = new ConfiguredStores(environment, SystemPorts.create()).work(null, notice -> {});
        Workflow deploy = Workflow.plain("deploy").withPolicy(Policy.PLAIN.withBlock(Scope.TARGET));
        work.catalogue()
                .publish(
                        new Catalogue(Map.of("deploy", deploy, "backup", Workflow.plain("backup")), Map.of()),
                        "tester");
    }

    @AfterAll
    static void stop() throws Exception {
        work.close();
        new EmbeddedPostgres(base.resolve("home"), notice -> {}).stop();
        OtherServer.delete(base);
    }

    private static Said run(String... words) {
        return InProcess.run(environment, words);
    }

    /** An execution that failed for good. */
    private static Execution dead(String workflow, String target) {
        work.executions().submit(List.of(Request.of(workflow, target, Map.of("version", "7"), "alice")));
        Identity worker = new Identity("build-7:42:ab", "ci");
        Lease lease = new Lease(UUID.randomUUID(), worker.owner(), worker.user(), LEASE);
        Claimed claimed = work.executions()
                .claim(new Claimant(worker, Map.of(LEASE, lease), Set.of(workflow)), 1)
                .started()
                .getFirst();
        Failure failure = new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "EXIT_1", "it broke");
        work.executions()
                .finish(List.of(Finish.of(
                        claimed,
                        new Finish.Outcome.Failed(1, failure, claimed.attempt().startedAt(), Retry.NONE))));
        return claimed.execution();
    }

    @Test
    void a_dead_letter_is_listed_shown_requeued_once_and_gone() {
        String id = dead("backup", "dead/1").id();

        assertThat(run("dead", "list").out())
                .contains("EXECUTION", id + "  dead/1  backup    ")
                .contains("EXIT_1");
        assertThat(run("dead", "list", "-o", "json").out()).contains("\"execution\": \"" + id + "\"");
        assertThat(run("dead", "show", id).out())
                .contains("dead/1", "version=7", "EXIT_1", "it broke", "build-7:42:ab");

        Said requeued = run("dead", "requeue", id);
        assertThat(requeued.code()).isZero();
        assertThat(requeued.err()).startsWith("interlock: Requeued as execution ");
        assertThat(run("dead", "requeue", id).err()).startsWith("interlock: Requeued before, as execution ");
        assertThat(run("dead", "show", id))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: Execution '" + id + "' is not among the dead letters. See: interlock dead list\n"));
    }

    @Test
    void a_blocked_target_is_cleared_before_its_letter_is_requeued() {
        String id = dead("deploy", "dead/2").id();
        Said refused = run("dead", "requeue", id);
        assertThat(refused.code()).isEqualTo(75);
        assertThat(refused.err()).contains("dead/2");

        assertThat(run("targets", "clear", "dead/2", "--reason", "looked at it"))
                .isEqualTo(new Said(0, "", "interlock: Cleared on 'dead/2': " + id + ".\n"));
        assertThat(run("targets", "clear", "dead/2", "--reason", "looked at it"))
                .isEqualTo(new Said(0, "", "interlock: No failure blocks 'dead/2'; nothing was changed.\n"));
        assertThat(run("dead", "requeue", id).code()).isZero();
    }

    @Test
    void a_discarded_letter_is_gone() {
        String id = dead("backup", "dead/3").id();
        assertThat(run("dead", "discard", id, "--reason", " ").code()).isEqualTo(64);
        assertThat(run("dead", "discard", id, "--reason", "done by hand"))
                .isEqualTo(new Said(0, "", "interlock: Execution " + id + " is no longer among the dead letters.\n"));
        assertThat(run("dead", "discard", id, "--reason", "done by hand").code())
                .isEqualTo(75);
    }

    @Test
    void the_janitor_shows_what_it_would_do_and_does_it_once() throws Exception {
        work.workers()
                .present(new Lease(UUID.randomUUID(), "gone:1:aa", "ci", Duration.ofMinutes(5)), 1, Set.of(), "0.1.0");
        try (Connection connection = Database.at(address).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE interlock.lease SET expires_at = clock_timestamp() - interval '1 minute'"
                    + " WHERE owner = 'gone:1:aa'");
        }
        String sentence = "Worker gone:1:aa is gone. It is removed from the list.\n";

        assertThat(run("janitor", "--dry-run").out()).isEqualTo(sentence);
        assertThat(run("janitor", "--once")).isEqualTo(new Said(0, sentence, ""));

        assertThat(run("janitor", "--dry-run")).isEqualTo(new Said(0, "", "interlock: There is nothing to do.\n"));
        assertThat(run("janitor", "--once")).isEqualTo(new Said(0, "", "interlock: There was nothing to do.\n"));
        assertThat(run("janitor", "--dry-run", "--once").code()).isEqualTo(64);
    }
}

package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.LogStore;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionsTest {
    private static final Identity WORKER = new Identity("worker-1:9:cd34", "ops");
    private static final Lease LEASE = new Lease(new UUID(0, 7), WORKER.owner(), WORKER.user(), Policy.PLAIN.lease());

    private final Workbench bench = new Workbench();

    @BeforeEach
    void declare() {
        Workflow apply = Workflow.plain("apply");
        bench.work().catalogue().publish(new Catalogue(Map.of("apply", apply), Map.of()), "ops");
    }

    private String submit(String... more) {
        Said said = bench.alice(words(more));
        assertThat(said.code()).isZero();
        return said.out().strip();
    }

    private static String[] words(String... more) {
        String[] words = new String[more.length + 4];
        System.arraycopy(new String[] {"executions", "submit", "apply", "prod/net"}, 0, words, 0, 4);
        System.arraycopy(more, 0, words, 4, more.length);
        return words;
    }

    /** How many bytes of each execution. */
    private final Map<String, Integer> printed = new HashMap<>();

    private Claimed claim() {
        return bench.work()
                .executions()
                .claim(new Claimant(WORKER, Map.of(LEASE.duration(), LEASE), Set.of("apply")), 1)
                .started()
                .getFirst();
    }

    private void finish(Claimed claimed, Finish.Outcome outcome) {
        bench.work().executions().finish(List.of(Finish.of(claimed, outcome)));
    }

    private void print(Claimed claimed, LogStore.Stream stream, String text) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        bench.work()
                .logs()
                .append(
                        claimed.execution().id(),
                        1,
                        claimed.token(),
                        printed.getOrDefault(claimed.execution().id(), 0),
                        List.of(new LogStore.Printed(stream, bytes)));
        printed.merge(claimed.execution().id(), bytes.remaining(), Integer::sum);
    }

    @Test
    void submitting_answers_with_the_id_alone() {
        Said said = bench.alice("executions", "submit", "apply", "prod/net", "-p", "A=1", "-p", "B=x=y");

        String id = said.out().strip();
        assertThat(said).isEqualTo(new Said(0, id + "\n", "interlock: Accepted as execution " + id + ".\n"));
        assertThat(bench.alice("executions", "show", id).out())
                .contains("Phase", "Pending", "apply", "prod/net", "alice", "A=1", "B=x=y");
    }

    @Test
    void an_unknown_workflow_is_told_at_once_with_the_nearest() {
        Said said = bench.alice("executions", "submit", "aply", "prod/net");

        assertThat(said.code()).isEqualTo(64);
        assertThat(said.err()).contains("Nobody has declared a workflow 'aply'; the nearest is 'apply'.");
    }

    @Test
    void whoever_does_not_want_to_wait_is_refused() {
        String first = submit();
        Said said = bench.bob("executions", "submit", "apply", "prod/net", "--on-busy", "refuse");

        assertThat(said.code()).isEqualTo(75);
        assertThat(said.err()).contains("Blocked: execution " + first);
    }

    @Test
    void a_key_belongs_to_one_request() {
        String first = submit("--key", "k1");

        assertThat(submit("--key", "k1")).isEqualTo(first);
        Said other = bench.alice(words("--key", "k1", "-p", "A=2"));
        assertThat(other.code()).isEqualTo(75);
        assertThat(other.err()).contains("the idempotency key belongs to execution " + first);
    }

    @Test
    void the_list_shows_who_waits_where() {
        String first = submit();
        String second = submit();

        assertThat(bench.alice("executions", "list", "--phase", "pending").out())
                .contains(first, second, "position 1", "position 2");
        assertThat(bench.alice("executions", "list", "--phase", "running"))
                .isEqualTo(new Said(0, "", "interlock: There is no such execution.\n"));
        assertThat(bench.alice("executions", "list", "--phase", "sleeping").code())
                .isEqualTo(64);
    }

    @Test
    void what_waits_is_cancelled_at_once_and_what_runs_is_told_to_stop() {
        String waiting = submit();
        assertThat(bench.alice("executions", "cancel", waiting, "--reason", "not now"))
                .isEqualTo(new Said(0, "", "interlock: Cancelled execution " + waiting + ".\n"));
        assertThat(bench.alice("executions", "cancel", waiting, "--reason", "not now")
                        .code())
                .isEqualTo(75);

        String running = submit();
        claim();
        assertThat(bench.alice("executions", "cancel", running, "--reason", "stop it")
                        .err())
                .contains("is being stopped");
        assertThat(bench.alice("executions", "show", running).out()).contains("being stopped for alice");
        assertThat(bench.alice("executions", "cancel", "exec-none", "--reason", "x")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void following_shows_both_streams_and_ends_as_the_command_ended() {
        String id = submit();
        Claimed claimed = claim();
        print(claimed, LogStore.Stream.OUT, "planning\n");
        print(claimed, LogStore.Stream.ERR, "careful\n");
        Failure failure = new Failure(FailureKind.STARTED, RetryClass.PERMANENT, "EXIT_7", "The command ended with 7.");
        finish(
                claimed,
                new Finish.Outcome.Failed(
                        7,
                        failure,
                        claimed.lock().seenAt(),
                        claimed.workflow().policy().retry()));

        assertThat(bench.alice("executions", "logs", id, "--follow"))
                .isEqualTo(new Said(
                        7,
                        "planning\n",
                        "careful\ninterlock: Execution " + id + " failed: The command ended with 7.\n"));
        assertThat(bench.alice("executions", "logs", id)).isEqualTo(new Said(0, "planning\ncareful\n", ""));
    }

    @Test
    void what_completed_can_be_asked_for_again_once() {
        String id = submit();
        assertThat(bench.alice("executions", "retry", id).code()).isEqualTo(75);
        finish(claim(), new Finish.Outcome.Completed(0));

        String again = bench.alice("executions", "retry", id).out().strip();
        assertThat(again).isNotEqualTo(id).isNotEmpty();
        assertThat(bench.alice("executions", "retry", id).out().strip()).isEqualTo(again);
    }

    @Test
    void why_applies_every_rule_of_admission() {
        submit();

        assertThat(bench.bob("why", "prod/net", "--workflow", "apply").out())
                .startsWith("apply on 'prod/net' would wait.\n")
                .contains(
                        "InvalidSpec", "RecentlyRemediated (backoff)", "RecentlyRemediated (cooldown)", "ResourceBusy");
        assertThat(bench.bob("why", "free", "--workflow", "apply").out())
                .startsWith("apply on 'free' would start now.\n");
    }

    @Test
    void a_worker_publishes_what_it_can_run_and_is_told_how_to_work(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("w.yaml"), """
                workflows:
                  backup:
                    command: [./backup.sh]
                """);

        bench.keep(new MemoryTrail());

        Said said = bench.alice("worker", "-d", file.toString(), "--slots", "8", "--no-janitor");

        assertThat(said.code()).isZero();
        assertThat(bench.plan().slots()).isEqualTo(8);
        assertThat(bench.plan().janitor()).isFalse();
        assertThat(bench.plan().here().workflows().get("backup").command())
                .containsExactly(directory.resolve("backup.sh").toString());
        assertThat(bench.work().catalogue().catalogue().workflows()).containsKey("backup");
    }

    @Test
    void a_worker_is_woken_through_a_queue_that_is_named_and_through_no_other(@TempDir Path directory)
            throws IOException {
        String file = Files.writeString(directory.resolve("w.yaml"), "workflows: {backup: {command: [sync]}}\n")
                .toString();
        bench.keep(new MemoryTrail());

        assertThat(bench.alice("worker", "-d", file, "--queue", "jobs").code()).isEqualTo(64);
        assertThat(bench.work().catalogue().catalogue().workflows()).doesNotContainKey("backup");
        for (String queue : List.of("sqs://jobs.fifo?region=eu-central-1", "none")) {
            bench.alice("worker", "-d", file, "--queue", queue);
            assertThat(bench.plan().queue()).isEqualTo(queue);
        }
        bench.alice("worker", "-d", file);
        assertThat(bench.plan().queue()).isNull();
    }

    @Test
    void a_worker_that_declares_nonsense_does_not_begin(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("w.yaml"), "workflow: {}\n");

        Said said = bench.alice("worker", "-d", file.toString());

        assertThat(said.code()).isEqualTo(64);
        assertThat(said.err()).contains(file + ":1: ", "nothing was published");
        assertThat(bench.plan()).isNull();
        assertThat(bench.alice("worker").code()).isEqualTo(64);
    }
}

package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunTest {
    private final Workbench bench = new Workbench();

    @TempDir
    Path directory;

    private Said run(List<String> options, String script) {
        List<String> words = new ArrayList<>(List.of("run", "--lock", "x"));
        words.addAll(options);
        words.addAll(List.of("--", "/bin/sh", "-c", script, "sh", directory.toString()));
        return bench.alice(words.toArray(new String[0]));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 75, 255})
    void the_exit_code_is_the_commands_own(int code) {
        assertThat(run(List.of(), "exit " + code)).isEqualTo(new Said(code, "", ""));
        assertThat(bench.alice("locks", "status", "x").out()).contains("Status      released\n");
    }

    @Test
    void a_command_that_dies_of_a_signal_is_shown_as_shells_do() {
        assertThat(run(List.of(), "kill -KILL $$")).isEqualTo(new Said(137, "", ""));
    }

    @Test
    void a_command_that_cannot_be_started_leaves_the_lock_free() {
        assertThat(bench.alice("run", "--lock", "x", "--", "no-such-command"))
                .isEqualTo(new Said(127, "", "interlock: no-such-command: command not found.\n"));
        assertThat(bench.alice("run", "--lock", "x", "--", "/etc/passwd").code())
                .isEqualTo(126);
        assertThat(bench.alice("locks", "status", "x").out()).contains("Status      released\n");
    }

    @Test
    void the_command_knows_its_locks_and_tokens_but_no_credential() throws Exception {
        bench.conceal("INTERLOCK_STORE", "postgres://db/interlock");
        bench.alice("run", "--lock", "a", "--", "true");
        bench.alice(
                "run",
                "--lock",
                "b",
                "--lock",
                "a",
                "--execution",
                "job-7",
                "--",
                "/bin/sh",
                "-c",
                "env | grep ^INTERLOCK_ | grep -v RUN_ID | sort > \"$1\"/env",
                "sh",
                directory.toString());
        assertThat(Files.readString(directory.resolve("env"))).isEqualTo("""
                INTERLOCK_EXECUTION=job-7
                INTERLOCK_LEASE_UNTIL=2026-11-16T12:00:30Z
                INTERLOCK_LOCK=b
                INTERLOCK_LOCKS=b
                INTERLOCK_STORE=postgres://db/interlock
                INTERLOCK_TOKEN=1
                INTERLOCK_TOKENS=1
                """);
        bench.alice(
                "run",
                "--lock",
                "b",
                "--lock",
                "a",
                "--",
                "/bin/sh",
                "-c",
                "printf %s \"$INTERLOCK_LOCKS|$INTERLOCK_TOKENS\" > \"$1\"/all",
                "sh",
                directory.toString());
        assertThat(Files.readString(directory.resolve("all"))).isEqualTo("b\na|2\n3");
    }

    @Test
    void a_busy_lock_keeps_the_command_from_starting() {
        bench.bob("locks", "acquire", "x", "--execution", "exec-9", "-q");
        Said said = run(List.of(), "touch \"$1\"/started");
        assertThat(said.code()).isEqualTo(75);
        assertThat(said.err()).startsWith("interlock: Blocked: lock 'x' is held by execution exec-9 (bob on bob-pc)");
        assertThat(directory.resolve("started")).doesNotExist();
        assertThat(run(List.of("--busy-exit-code", "0"), "exit 1").code()).isEqualTo(0);
        assertThat(run(List.of("--wait=20ms", "--busy-exit-code", "0"), "exit 1")
                        .code())
                .isEqualTo(124);
    }

    @Test
    void one_busy_lock_of_several_keeps_all_of_them_free() {
        bench.bob("locks", "acquire", "b", "-q");
        assertThat(bench.alice("run", "--lock", "a", "--lock", "b", "--", "true")
                        .code())
                .isEqualTo(75);
        assertThat(bench.alice("locks", "list").out()).doesNotContain("\na ").contains("\nb ");
    }

    @Test
    void waiting_gets_the_lock_when_it_is_released() throws Exception {
        bench.bob("locks", "acquire", "x", "--execution", "exec-9", "-q");
        CompletableFuture<Said> waiting = CompletableFuture.supplyAsync(() -> run(List.of("--wait"), "exit 4"));
        while (bench.store().waiters(Given.name("x")).isEmpty()) {
            Thread.onSpinWait();
        }
        bench.bob("locks", "release", "x", "--token", "1");
        assertThat(waiting.get())
                .isEqualTo(
                        new Said(
                                4,
                                "",
                                "interlock: Waiting for lock 'x': position 1; held for 0s by bob on bob-pc (execution exec-9).\n"));
    }

    @Test
    void a_cancelled_wait_is_refused() throws Exception {
        bench.bob("locks", "acquire", "x", "-q");
        CompletableFuture<Said> waiting = CompletableFuture.supplyAsync(() -> run(List.of("--wait", "-q"), "exit 4"));
        while (bench.store().waiters(Given.name("x")).isEmpty()) {
            Thread.onSpinWait();
        }
        long ticket = bench.store().waiters(Given.name("x")).getFirst().ticket();
        assertThat(bench.bob("locks", "cancel-wait", "x", "--ticket", Long.toString(ticket))
                        .code())
                .isEqualTo(0);
        assertThat(waiting.get())
                .isEqualTo(
                        new Said(
                                75,
                                "",
                                "interlock: The wait for lock 'x' was cancelled by somebody; see: interlock locks history x\n"));
    }

    @Test
    void a_lock_that_is_forced_stops_the_command_and_is_given_back_at_once() throws Exception {
        Path started = directory.resolve("started");
        CompletableFuture<Said> running = CompletableFuture.supplyAsync(
                () -> run(List.of("--ttl", "1h"), "touch \"$1\"/started; sleep 60 & wait"));
        while (!Files.exists(started)) {
            Thread.onSpinWait();
        }
        bench.bob("locks", "release", "x", "--force", "--reason", "mine");
        assertThat(running.get())
                .isEqualTo(
                        new Said(79, "", "interlock: Lost lock 'x': forced by bob (mine). The command is stopped.\n"));
        assertThat(bench.alice("locks", "status", "x").out()).doesNotContain("releasing");
    }

    @Test
    void a_command_that_runs_too_long_is_stopped() {
        assertThat(run(List.of("--timeout", "1s"), "sleep 60; exit 0"))
                .isEqualTo(new Said(
                        143,
                        "",
                        "interlock: The command has run for 1s, as long as --timeout allows: it is stopped.\n"));
        assertThat(run(List.of("--timeout", "1s"), "trap 'exit 0' TERM; sleep 60 & wait")
                        .code())
                .isEqualTo(143);
    }

    @Test
    void a_command_is_stopped_before_its_maximum_hold_is_over() {
        Said said = run(List.of("--max-hold", "3s", "--ttl", "5s", "--grace", "500ms"), "sleep 60");
        assertThat(said)
                .isEqualTo(new Said(
                        79,
                        "",
                        "interlock: Lost lock 'x': it reached its maximum hold time. The command is stopped.\n"));
    }

    @Test
    void what_the_command_leaves_behind_is_ended_with_it() throws Exception {
        Said said = run(List.of(), "sleep 60 > /dev/null 2>&1 & echo $! > \"$1\"/pid; exit 5");
        assertThat(said)
                .isEqualTo(new Said(
                        5,
                        "",
                        "interlock: Ended 1 process that the command had left behind: nothing may go on without the"
                                + " lock.\n"));
        Path stat = Path.of("/proc", Files.readString(directory.resolve("pid")).strip(), "stat");
        assertThat(!Files.exists(stat) || Files.readString(stat).contains(") Z "))
                .as("gone, or dead and not yet reaped")
                .isTrue();
    }

    @Test
    void verbose_tells_the_mechanism_and_the_token() {
        assertThat(run(List.of("--verbose"), "true").err())
                .contains("Every process of the command bears a tag", "Acquired lock 'x' with token 1 after ");
    }
}

package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.interlock.supervise.LauncherJvm.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A launcher ends as its command ended. */
@Timeout(60)
class EndingTest {
    private static final List<String> LAUNCHER = LauncherJvm.words(Launcher.class, LauncherJvm.EXACT);

    private final Tree tree = new Tree();

    @AfterEach
    void kill_what_a_failed_test_left() {
        tree.kill();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 42, 126, 127, 128, 255})
    void exits_with_the_code_of_the_command(int code) {
        assertThat(LauncherJvm.run(LAUNCHER, "--", "sh", "-c", "exit " + code)).isEqualTo(new Result(code, "", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 9, 10, 11, 12, 13, 15})
    void dies_of_the_signal_the_command_died_of(int signal) {
        // Whoever runs the tests may ignore signals, which a command inherits; here it must not.
        String line = "python3 -c 'import signal, subprocess, sys; "
                + "[signal.signal(n, signal.SIG_DFL) for n in (1, 2, 3)]; print(subprocess.call(sys.argv[1:]))' "
                + "$launcher sh -c 'ulimit -c 0; kill -" + signal + " $$'";

        assertThat(LauncherJvm.bash(LAUNCHER, line, Map.of())).isEqualTo(new Result(0, -signal + "\n", ""));
    }

    @Test
    void a_command_that_is_not_there_is_127() {
        assertThat(LauncherJvm.run(LAUNCHER, "--", "no-such-command"))
                .isEqualTo(new Result(127, "", "no-such-command: command not found\n"));
        assertThat(LauncherJvm.run(LAUNCHER, "--", "/no/such/command"))
                .isEqualTo(new Result(127, "", "/no/such/command: No such file or directory\n"));
    }

    @Test
    void a_command_that_cannot_be_executed_is_126(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "echo hello");

        assertThat(LauncherJvm.run(LAUNCHER, "--", file.toString()))
                .isEqualTo(new Result(126, "", file + ": Permission denied\n"));
        assertThat(LauncherJvm.run(LAUNCHER, "--", "/")).isEqualTo(new Result(126, "", "/: Permission denied\n"));
    }

    @Test
    void a_script_without_an_interpreter_is_run_by_the_shell(@TempDir Path directory) throws IOException {
        Path script = Files.writeString(directory.resolve("nameless"), "echo $0 $1; exit 5");
        assertThat(script.toFile().setExecutable(true)).isTrue();

        assertThat(LauncherJvm.run(LAUNCHER, "--", script.toString(), "it's"))
                .isEqualTo(new Result(5, script + " it's\n", ""));
        assertThat(LauncherJvm.bash(LAUNCHER, "PATH=$PATH:" + directory + "; $launcher nameless it", Map.of()))
                .isEqualTo(new Result(5, script + " it\n", ""));
    }

    @Test
    void what_the_command_left_behind_is_killed_before_the_launcher_ends() {
        String line = "sh " + LauncherJvm.resource("tree.sh") + " " + tree.number + " & "
                + "until [ \"$(pgrep -cxf 'sleep 600." + tree.number + "')\" = 8 ]; do sleep 0.05; done; exit 3";

        Result result = LauncherJvm.run(LAUNCHER, "--", "sh", "-c", line);

        assertThat(tree.living()).isEmpty();
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).matches("left behind: (9|1\\d)\n");
    }

    @Test
    void what_is_just_ending_is_not_left_behind() {
        assertThat(LauncherJvm.run(LAUNCHER, "--", "bash", "-c", "exec > >(sleep 0.1; cat); echo last words"))
                .isEqualTo(new Result(0, "last words\n", ""));
    }

    @Test
    void a_pid_1_that_no_signal_can_kill_exits_with_128_and_the_number() {
        List<String> words = LauncherJvm.joined(List.of("unshare", "--pid", "--fork", "--mount-proc"), LAUNCHER);

        Result result = LauncherJvm.run(words, "--", "sh", "-c", "kill -TERM $$");

        assumeFalse(result.err().startsWith("unshare:"), "not allowed to make a PID namespace here");
        assertThat(result).isEqualTo(new Result(128 + 15, "", ""));
    }
}

package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guard's script, in each shell there is here, finding the tree by tag as on Linux and by ps as elsewhere. */
@Timeout(60)
class GuardScriptTest {
    /** A shell, and how it finds the tree. */
    record Setting(List<String> shell, String how) {}

    private final String id =
            Long.toString(ThreadLocalRandom.current().nextLong(100_000_000_000_000_000L, 1_000_000_000_000_000_000L));
    private final Tree tree = new Tree();

    static Stream<Setting> settings() {
        return Stream.of(List.of("dash"), List.of("bash", "--posix"), List.of("busybox", "sh"))
                .filter(shell -> isHere(shell.getFirst()))
                .flatMap(shell -> Stream.of(new Setting(shell, "tag"), new Setting(shell, "ps")));
    }

    @AfterEach
    void kill_what_a_failed_test_left() {
        tree.kill();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void kills_when_its_launcher_is_gone(Setting setting) throws IOException {
        try (Guarding guard = new Guarding(setting.shell(), setting.how())) {
            guard.start();
            guard.say("until " + in(Duration.ofMinutes(1), setting) + " 50");
            assertThat(guard.answer()).isEqualTo("ready");
        }

        tree.assertDead();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void kills_before_the_deadline(Setting setting) throws IOException {
        try (Guarding guard = new Guarding(setting.shell(), setting.how())) {
            guard.start();
            BootTime deadline = BootTime.now().plus(Duration.ofSeconds(4));
            guard.say("until " + in(Duration.ofSeconds(4), setting) + " 50");

            assertThat(guard.answer()).isEqualTo("ready");
            tree.assertDeadBy(deadline);
            guard.say("end");
            assertThat(guard.answer()).isEqualTo("gone 0 0 late");
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void a_later_deadline_replaces_an_earlier_one(Setting setting) throws IOException {
        try (Guarding guard = new Guarding(setting.shell(), setting.how())) {
            guard.start();
            guard.say("until " + in(Duration.ofSeconds(2), setting) + " 50");
            guard.say("until " + in(Duration.ofMinutes(1), setting) + " 50");
            BootTime past = BootTime.now().plus(Duration.ofSeconds(3));

            Processes.await("the first deadline is past", () -> BootTime.now().compareTo(past) > 0);

            assertThat(tree.living()).hasSizeGreaterThanOrEqualTo(3);
            guard.say("end");
            assertThat(guard.answer()).isEqualTo("ready");
            assertThat(guard.answer()).matches("gone [345] 0");
            assertThat(tree.living()).isEmpty();
        }
    }

    @Test
    void tells_what_it_may_not_kill() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "not root: whose process could not be killed?");
        try (Guarding guard = new Guarding(joined(LauncherJvm.AS_NOBODY, List.of("sh")), "tag")) {
            guard.start();
            guard.say("until " + BootTime.now().plus(Duration.ofMinutes(1)).centiseconds() + " 10");
            guard.say("end");
            assertThat(guard.answer()).isEqualTo("ready");
            assertThat(guard.answer()).matches("gone ([34]) \\1");
        }
    }

    private static String in(Duration duration, Setting setting) {
        BootTime now = setting.how().equals("tag") ? BootTime.now() : new BootTime(System.currentTimeMillis() / 10);
        return Long.toString(now.plus(duration).centiseconds());
    }

    private static boolean isHere(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }

    /** A guard and its tree, with this test as the launcher. */
    private final class Guarding implements AutoCloseable {
        private final String how;
        private final Process guard;
        private final BufferedReader answers;

        Guarding(List<String> shell, String how) throws IOException {
            this.how = how;
            String launcher = Long.toString(ProcessHandle.current().pid());
            ProcessBuilder builder = new ProcessBuilder(joined(
                    joined(List.of("setsid"), shell),
                    List.of("-c", "eval \"$guard\"", "interlock-guard:" + id, how, launcher)));
            builder.environment().put("guard", script());
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
            guard = builder.start();
            answers = guard.inputReader(StandardCharsets.US_ASCII);
        }

        /** A background child, one in a session of its own, and the command itself. */
        void start() throws IOException {
            String sleep = "sleep 600." + tree.number;
            String script = sleep + " & setsid " + sleep + " & " + sleep;
            Process command =
                    new ProcessBuilder("setsid", "prlimit", "--locks=" + id + ":", "sh", "-c", script).start();
            Processes.await(
                    "the tree has grown",
                    () -> Processes.sleepsBearing(tree.number).size() == 3);
            if (how.equals("ps")) {
                say("command " + command.pid() + " " + command.pid());
                say("look");
            }
        }

        void say(String request) throws IOException {
            guard.outputWriter().append(request).append('\n').flush();
        }

        String answer() throws IOException {
            return Objects.requireNonNull(answers.readLine());
        }

        @Override
        public void close() throws IOException {
            guard.outputWriter().close();
        }

        private static String script() {
            try (InputStream script = Guard.class.getResourceAsStream("guard.sh")) {
                return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}

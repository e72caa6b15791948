package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.supervise.Ended.Aftermath;
import dev.interlock.supervise.Ended.Exited;
import dev.interlock.supervise.Ended.NotStarted;
import dev.interlock.supervise.Ended.Signalled;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that does other things too runs many commands, each under a guard of its own. */
@Timeout(60)
class EmbeddedTest {
    private static final Aftermath NOTHING_LEFT = new Aftermath(0, 0, false);

    private final Supervisor supervisor = Supervisor.embedded();

    @TempDir
    Path directory;

    @Test
    void output_goes_to_a_file_behind_what_is_there() throws IOException {
        Path in = Files.writeString(directory.resolve("in"), "two\n");
        Path out = Files.writeString(directory.resolve("out"), "one\n");

        Ended ended = start(shell("cat; echo three >&2; exit 4").input(in).output(out))
                .waitFor();

        assertThat(ended).isEqualTo(new Exited(4, NOTHING_LEFT));
        assertThat(out).hasContent("one\ntwo\nthree\n");
    }

    @Test
    void output_that_cannot_be_opened_is_no_failure_of_the_command() {
        Command command = shell("true").output(directory.resolve("no/such/directory"));

        assertThatThrownBy(() -> start(command)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void captured_output_comes_through_pipes_each_stream_by_itself() throws IOException {
        Supervised run =
                start(shell("echo one; echo two >&2; head -c 3000000 /dev/zero").captured());

        byte[] output = run.output().readAllBytes();

        assertThat(output).hasSize(3_000_004).startsWith("one\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(run.error().readAllBytes()).asString().isEqualTo("two\n");
        assertThat(run.waitFor()).isEqualTo(new Exited(0, NOTHING_LEFT));
    }

    @Test
    void captured_output_ends_although_a_process_that_was_left_behind_could_write() throws IOException {
        Supervised run = start(shell("echo up; setsid sleep 600 &").captured());

        Ended ended = run.waitFor();

        assertThat(ended).isEqualTo(new Exited(0, new Aftermath(1, 0, false)));
        assertThat(run.output().readAllBytes()).asString().isEqualTo("up\n");
    }

    @Test
    void nothing_is_captured_of_a_command_that_is_not_there() throws IOException {
        Supervised run = start(Command.of(List.of("no-such-command")).captured());

        assertThat(run.output().readAllBytes()).isEmpty();
        assertThat(run.waitFor()).isEqualTo(new NotStarted(127, "no-such-command: command not found"));
    }

    @Test
    void a_command_that_is_not_there_is_an_answer() {
        Ended ended = start(Command.of(List.of("no-such-command"))).waitFor();

        assertThat(ended).isEqualTo(new NotStarted(127, "no-such-command: command not found"));
    }

    @Test
    void a_stopped_command_may_end_in_its_own_way() {
        Path out = directory.resolve("out");
        Supervised run = start(shell("trap 'echo stopping; exit 3' TERM; echo up; while :; do sleep 0.05; done")
                .output(out));
        awaitText(out, "up");

        run.stop();

        assertThat(run.waitFor()).isEqualTo(new Exited(3, NOTHING_LEFT));
        assertThat(out).content().contains("stopping");
    }

    @Test
    void a_stopped_command_that_does_not_end_is_killed() {
        Path out = directory.resolve("out");
        Supervised run = start(shell("trap '' TERM; echo up; while :; do sleep 0.05; done")
                .output(out)
                .grace(Duration.ofMillis(300)));
        awaitText(out, "up");

        run.stop();

        assertThat(run.waitFor()).isEqualTo(new Signalled(9, NOTHING_LEFT));
    }

    @Test
    void a_command_that_is_late_is_told_so() {
        BootTime deadline = BootTime.now().plus(Duration.ofSeconds(1));

        Ended ended = supervisor.start(shell("sleep 600"), deadline).waitFor();

        assertThat(ended).isEqualTo(new Signalled(15, new Aftermath(0, 0, true)));
        assertThat(BootTime.now()).isLessThan(deadline.plus(Duration.ofSeconds(10)));
    }

    /**
     * The command ends in time, and what it left behind ignores TERM: while the guard waits for it, the moment comes at
     * which a command that still ran would have to be stopped.
     */
    @Test
    void a_command_that_ended_in_time_is_not_late_for_what_it_left_behind() {
        BootTime deadline = BootTime.now().plus(Duration.ofSeconds(6));
        Command command = shell("setsid sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' & sleep 0.3; exit 3")
                .grace(Duration.ofSeconds(3));

        Ended ended = supervisor.start(command, deadline).waitFor();

        assertThat(ended).isInstanceOf(Exited.class);
        assertThat(((Exited) ended).code()).isEqualTo(3);
        assertThat(ended.aftermath().leftBehind()).isPositive();
        assertThat(ended.aftermath().alive()).isZero();
        assertThat(ended.aftermath().late()).isFalse();
        assertThat(BootTime.now()).isLessThan(deadline);
    }

    @Test
    void a_command_that_was_told_to_end_for_its_deadline_cannot_be_prolonged() {
        Path out = directory.resolve("out");
        BootTime deadline = BootTime.now().plus(Duration.ofSeconds(1));
        Supervised run = supervisor.start(
                shell("trap 'echo told' TERM; while :; do sleep 0.05; done").output(out), deadline);
        awaitText(out, "told");

        run.aliveUntil(deadline.plus(Duration.ofMinutes(1)));

        assertThat(run.waitFor()).isEqualTo(new Signalled(9, new Aftermath(0, 0, true)));
        assertThat(BootTime.now()).isLessThan(deadline.plus(Duration.ofSeconds(20)));
    }

    @Test
    void stopping_one_command_leaves_another_alone() {
        Path out = directory.resolve("out");
        Supervised other = start(shell("echo up; sleep 1; echo over").output(out));
        Supervised run = start(shell("sleep 600"));
        awaitText(out, "up");

        run.stop();

        assertThat(run.waitFor()).isEqualTo(new Signalled(15, NOTHING_LEFT));
        assertThat(other.waitFor()).isEqualTo(new Exited(0, NOTHING_LEFT));
        assertThat(out).hasContent("up\nover");
    }

    @Test
    void a_command_gets_the_standard_descriptors_only() throws IOException {
        Path out = directory.resolve("out");
        try (FileInputStream own = new FileInputStream("/dev/null")) {
            assertThat(own.getFD().valid()).isTrue();
            start(shell("ls /proc/$$/fd").output(out)).waitFor();
        }

        assertThat(out).hasContent("0\n1\n2");
    }

    private Supervised start(Command command) {
        return supervisor.start(command, BootTime.now().plus(Duration.ofSeconds(30)));
    }

    private static Command shell(String script) {
        return Command.of(List.of("sh", "-c", script))
                .input(Path.of("/dev/null"))
                .grace(Duration.ofMillis(500));
    }

    private static void awaitText(Path file, String text) {
        Processes.await("it says " + text, () -> {
            try {
                return Files.readString(file).contains(text);
            } catch (IOException missing) {
                return false;
            }
        });
    }
}

package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.supervise.LauncherJvm.Result;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A signal sent to the launcher reaches the command, once. */
@Timeout(60)
class SignalsTest {
    static final List<List<String>> BOTH = List.of(LauncherJvm.PORTABLE, LauncherJvm.EXACT);
    private static final String COUNTING = LauncherJvm.resource("counting.sh");

    static Stream<Arguments> each_signal_both_ways() {
        return BOTH.stream()
                .flatMap(how ->
                        Stream.of("HUP", "INT", "TERM", "USR1", "USR2").map(signal -> Arguments.of(how, signal)));
    }

    @ParameterizedTest
    @MethodSource("each_signal_both_ways")
    void reaches_the_command_once(List<String> how, String signal) {
        LauncherJvm launcher = counting(how);

        launcher.signal(signal);

        assertThat(launcher.result()).isEqualTo(new Result(0, "up\n" + signal + "\nover\n", ""));
    }

    @Test
    void a_quit_reaches_the_command_once() {
        LauncherJvm launcher = counting(LauncherJvm.EXACT);

        launcher.signal("QUIT");

        assertThat(launcher.result()).isEqualTo(new Result(0, "up\nQUIT\nover\n", ""));
    }

    @Test
    void a_quit_that_the_jvm_keeps_is_lost_but_does_no_harm() {
        LauncherJvm launcher = counting(LauncherJvm.PORTABLE);

        launcher.signal("QUIT");
        launcher.signal("TERM");

        assertThat(launcher.result()).isEqualTo(new Result(0, "up\nTERM\nover\n", ""));
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void to_the_whole_group_reaches_the_command_once(List<String> how) {
        LauncherJvm launcher = counting(how);

        Processes.signal("TERM", List.of(-launcher.pid()));

        assertThat(launcher.result()).isEqualTo(new Result(0, "up\nTERM\nover\n", ""));
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void of_timeout_reaches_the_command_once(List<String> how) {
        LauncherJvm timeout = counting(LauncherJvm.joined(List.of("timeout", "60"), how));

        timeout.signal("TERM");

        assertThat(timeout.result().out()).isEqualTo("up\nTERM\nover\n");
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void that_is_ignored_stays_ignored(List<String> how) {
        Result result = LauncherJvm.bash(
                LauncherJvm.words(Launcher.class, how),
                "trap '' HUP; $launcher sh -c 'kill -HUP $PPID; kill -HUP $$; echo lives'",
                Map.of());

        assertThat(result).isEqualTo(new Result(0, "lives\n", ""));
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void before_the_start_ends_the_launcher(List<String> how) {
        LauncherJvm launcher =
                LauncherJvm.start(LauncherJvm.words(Launcher.class, how), List.of("--wait", "--", "echo", "started"));
        launcher.awaitOut("waiting");

        launcher.signal("INT");

        assertThat(launcher.result()).isEqualTo(new Result(128 + 2, "waiting\n", ""));
        Processes.await(
                "its guard is gone",
                () -> Processes.guardsAndTimersOf(launcher.pid()).isEmpty());
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void the_way_they_are_handed_on_is_told(List<String> how) {
        Result result = LauncherJvm.run(LauncherJvm.words(Launcher.class, how), "--verbose", "--", "true");

        assertThat(result.err())
                .isEqualTo("Every process of the command bears a tag (its limit of file locks, and INTERLOCK_RUN_ID); "
                        + "a guard in a session of its own kills them when the launcher dies or the lease runs out; "
                        + (how.isEmpty()
                                ? "signals are handed on as far as the JVM shows them, which is not SIGQUIT.\n"
                                : "signals are handed on exactly.\n"));
    }

    private static LauncherJvm counting(List<String> how) {
        LauncherJvm launcher = LauncherJvm.start(LauncherJvm.words(Launcher.class, how), List.of("--", "sh", COUNTING));
        launcher.awaitOut("up");
        return launcher;
    }
}

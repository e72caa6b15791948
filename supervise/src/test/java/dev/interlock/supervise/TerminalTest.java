package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** On a terminal, a command behaves as if there were no launcher. */
@Timeout(60)
class TerminalTest {
    static final List<List<String>> BOTH = SignalsTest.BOTH;
    private static final List<String> SHELL = List.of("env", "PS1=ready ", "bash", "--norc", "--noediting", "-i");

    private final Tree tree = new Tree();

    @BeforeAll
    static void a_terminal_takes_python() {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> new File(directory, "python3").canExecute());
        assumeTrue(found, "NOTHING WAS TESTED ON A TERMINAL: there is no python3");
    }

    @AfterEach
    void kill_what_a_failed_test_left() {
        tree.kill();
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void an_interrupt_key_reaches_the_command_once(List<String> how) {
        assertThat(onTerminal(List.of("see:up", "type:\\x03"), counting(how))).isEqualTo("up\n^CINT\nover\n[exit 0]\n");
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void a_quit_key_reaches_the_command_once(List<String> how) {
        assertThat(onTerminal(List.of("see:up", "type:\\x1c"), counting(how)))
                .isEqualTo("up\n^\\QUIT\nover\n[exit 0]\n");
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void an_interrupt_key_ends_the_script_that_called_the_launcher(List<String> how) {
        String script = LauncherJvm.line(words(how)) + " -- sh -c 'echo up; exec sleep 50'; echo went on";

        assertThat(onTerminal(List.of("see:up", "type:\\x03"), List.of("bash", "-c", script)))
                .isEqualTo("up\n^C[signal 2]\n");
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void a_suspended_command_comes_back(List<String> how) {
        List<String> steps = List.of(
                typed(words(how), "echo run''s; read x; echo got $x"),
                "see:runs",
                "type:\\x1a",
                "see:Stopped",
                "type:fg\\n",
                "see:fg",
                "type:hello\\n",
                "see:got hello",
                "see:ready",
                "type:exit\\n");

        assertThat(onTerminal(steps, SHELL)).endsWith("[exit 0]\n");
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void a_command_suspended_beyond_its_lease_is_killed(List<String> how) {
        List<String> steps = List.of(
                typed(words(how, "-Dlease=2000"), "echo run''s; sleep 600." + tree.number),
                "see:runs",
                "type:\\x1a",
                "see:Stopped",
                "see:the lease ran out",
                "type:fg\\n",
                "see:ready",
                "type:echo status $?\\n",
                "see:status 79",
                "type:exit\\n");

        assertThat(onTerminal(steps, SHELL)).endsWith("[exit 0]\n");
        assertThat(tree.living()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("BOTH")
    void nothing_of_the_tree_survives_its_terminal(List<String> how) {
        String grow = String.join(" ", tree.command()) + " & until [ $(pgrep -cxf 'sleep 600." + tree.number
                + "') = 8 ]; do sleep 0.05; done; echo gr''own; wait";

        start(List.of(typed(words(how), grow), "see:grown", "hang-up"), SHELL).result();

        tree.assertDead();
    }

    private static List<String> counting(List<String> how) {
        return joined(words(how), List.of("--", "sh", LauncherJvm.resource("counting.sh")));
    }

    /** A step that types a launcher with a script of the shell as its command. */
    private static String typed(List<String> launcher, String script) {
        return "type:" + LauncherJvm.line(launcher) + " -- sh -c \"" + script.replace("$", "\\\\$") + "\"\\n";
    }

    private static List<String> words(List<String> how, String... properties) {
        return LauncherJvm.words(Launcher.class, how, properties);
    }

    private static String onTerminal(List<String> steps, List<String> command) {
        LauncherJvm.Result result = start(steps, command).result();
        assertThat(result.err()).isEmpty();
        return result.out();
    }

    private static LauncherJvm start(List<String> steps, List<String> command) {
        List<String> terminal = joined(List.of("python3", LauncherJvm.resource("terminal.py")), steps);
        return LauncherJvm.start(terminal, joined(List.of("--"), command));
    }
}

package dev.interlock.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.supervise.LauncherJvm.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command sees its arguments, environment and descriptors as if there were no launcher. */
@Timeout(60)
class PassingThroughTest {
    private static final List<String> LAUNCHER = LauncherJvm.words(Launcher.class, LauncherJvm.EXACT);

    @Test
    void input_the_command_does_not_read_is_left_for_the_next() {
        assertThat(bash("printf 'one\\ntwo\\n' | { $launcher sh -c 'read x; echo got $x'; cat; }"))
                .isEqualTo("got one\ntwo\n");
    }

    @Test
    void a_command_whose_reader_goes_dies_of_it() {
        assertThat(bash("$launcher yes | head -n 1; echo ${PIPESTATUS[0]}")).isEqualTo("y\n141\n");
    }

    @Test
    void much_output_passes_unchanged() {
        assertThat(bash("head -c 50000000 /dev/zero | $launcher cat | cksum"))
                .isEqualTo(bash("head -c 50000000 /dev/zero | cksum"));
    }

    @Test
    void descriptors_are_inherited() {
        assertThat(bash("$launcher cat /dev/fd/9 <(echo two) 9< <(echo one)")).isEqualTo("one\ntwo\n");
    }

    @Test
    void descriptors_of_the_jvm_are_not_inherited() {
        assertThat(bash("$launcher sh -c 'ls /proc/$$/fd' 9< /dev/null")).isEqualTo("0\n1\n2\n9\n");
    }

    @Test
    void closed_descriptors_stay_closed() {
        assertThat(bash("$launcher sh -c 'ls /proc/$$/fd/0 >&2' <&- 2>&1 | grep -c 'No such file'"))
                .isEqualTo("1\n");
    }

    @Test
    void bytes_of_arguments_and_environment_are_kept_in_any_locale() {
        String line = "bytes=$'\\xc3\\xa9\\xff' $launcher sh -c 'printf %s \"$1$bytes\"' sh $'\\xfe\\xc3\\xa9' ''"
                + " | od -An -tx1";

        assertThat(LauncherJvm.bash(LAUNCHER, line, Map.of("LC_ALL", "C")))
                .isEqualTo(new Result(0, " fe c3 a9 c3 a9 ff\n", ""));
    }

    @Test
    void empty_arguments_are_kept() {
        assertThat(bash("$launcher sh -c 'printf \"<%s>\" \"$@\"' sh '' a '' ' ' ''"))
                .isEqualTo("<><a><>< ><>");
    }

    @Test
    void the_environment_is_the_users_but_for_what_the_launcher_sets_and_drops() {
        Result result = LauncherJvm.bash(
                LAUNCHER,
                "$launcher env",
                Map.of("INTERLOCK_LOCK", "theirs", "INTERLOCK_PASSWORD", "secret", "X", "y"));

        assertThat(result.out().lines())
                .contains("X=y", "INTERLOCK_LOCK=prod/cafÃ©")
                .filteredOn(line -> line.startsWith("INTERLOCK_"))
                .hasSize(2)
                .anyMatch(line -> line.matches("INTERLOCK_RUN_ID=\\d{18}"));
        assertThat(result.out()).doesNotContain(ExactSignals.VARIABLE);
    }

    @Test
    void limits_are_kept() {
        String look = "sh -c 'ulimit -Sn; ulimit -Hn; ulimit -c'";

        assertThat(bash("ulimit -Sn 123; $launcher " + look)).isEqualTo(bash("ulimit -Sn 123; " + look));
    }

    private static String bash(String line) {
        Result result = LauncherJvm.bash(LAUNCHER, line, Map.of());
        assertThat(result.err()).isEmpty();
        return result.out();
    }
}

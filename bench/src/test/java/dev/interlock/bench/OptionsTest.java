package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionsTest {
    private static final Path ROOT = Path.of("root");

    @Test
    void without_options_everything_is_measured_in_three_rounds() {
        assertThat(parse())
                .isEqualTo(new Options(
                        false,
                        List.of(),
                        List.of(),
                        3,
                        ROOT.resolve("bench/target/results"),
                        ROOT.resolve("interlock"),
                        Optional.empty()));
    }

    @Test
    void every_option_is_taken() {
        var options = parse(
                "--quick",
                "--only",
                "growth",
                "--only",
                "start",
                "--contender",
                "lock",
                "--rounds",
                "5",
                "--out",
                "out",
                "--url",
                "jdbc:x",
                "--interlock",
                "other");
        assertThat(options)
                .isEqualTo(new Options(
                        true,
                        List.of("growth", "start"),
                        List.of("lock"),
                        5,
                        Path.of("out"),
                        Path.of("other"),
                        Optional.of("jdbc:x")));
    }

    @Test
    void the_url_is_not_shown_for_it_may_hold_a_password() {
        assertThat(parse("--quick", "--only", "growth", "--url", "jdbc:x?password=secret")
                        .shown())
                .isEqualTo(" --quick --only growth --rounds 3 --url …");
    }

    @Test
    void a_run_of_few_contenders_says_so() {
        assertThat(parse("--contender", "raw JDBC", "--rounds", "1").shown())
                .isEqualTo(" --contender 'raw JDBC' --rounds 1");
    }

    @Test
    void jobs_stands_for_all_workloads_with_jobs() {
        var options = parse("--only", "jobs");
        assertThat(options.wants("jobs-drain")).isTrue();
        assertThat(options.wants("growth")).isFalse();
    }

    @Test
    void a_command_line_that_makes_no_sense_is_refused() {
        assertRefused("Unknown option --fast", "--fast");
        assertRefused("Unknown workload speed", "--only", "speed");
        assertRefused("--rounds needs a number from 1 to 99, not 0", "--rounds", "0");
        assertRefused("--out needs a value", "--out");
    }

    private static void assertRefused(String why, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(Options.Mistaken.class)
                .hasMessage(why);
    }

    private static Options parse(String... arguments) {
        return Options.parse(List.of(arguments), ROOT);
    }
}

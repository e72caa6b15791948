package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

class ReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/cli.md");

    private final Workbench bench = new Workbench();

    static List<String> pages() {
        List<String> pages = new ArrayList<>(List.of(""));
        pages.addAll(Commands.GROUPS);
        pages.addAll(Commands.PATHS);
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void every_command_has_a_page_that_fits_a_terminal(String path) {
        String page = HelpPage.of(path);
        assertThat(page).contains("\nSYNOPSIS\n").endsWith("\n").doesNotContain("{", "\n\n\n");
        assertThat(page.lines()).allMatch(line -> line.length() <= 80, "at most 80 columns");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void help_is_to_be_had_in_every_way(String path) {
        String page = HelpPage.of(path);
        String[] words = path.isEmpty() ? new String[0] : path.split(" ");
        assertThat(bench.alice(with(words, "--help"))).isEqualTo(new Said(0, page, ""));
        assertThat(bench.alice(with(words, "-h"))).isEqualTo(new Said(0, page, ""));
        String[] help = new String[words.length + 1];
        help[0] = "help";
        System.arraycopy(words, 0, help, 1, words.length);
        assertThat(bench.alice(help)).isEqualTo(new Said(0, page, ""));
    }

    private static String[] with(String[] words, String last) {
        String[] all = java.util.Arrays.copyOf(words, words.length + 1);
        all[words.length] = last;
        return all;
    }

    @Test
    void the_reference_says_what_help_says() throws IOException {
        StringBuilder expected =
                new StringBuilder("# The `interlock` command\n\nWhat `interlock help` prints, page by page.\n");
        for (String path : pages()) {
            String title = ("interlock " + path).strip();
            expected.append("\n## ")
                    .append(title)
                    .append("\n\n```text\n")
                    .append(HelpPage.of(path))
                    .append("```\n");
        }
        if (System.getenv("WRITE_REFERENCE") != null) {
            Files.writeString(REFERENCE, expected);
        }
        assertThat(Files.readString(REFERENCE))
                .as("write it anew: WRITE_REFERENCE=1 ./build test -pl cli -am -Dtest=ReferenceTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(expected.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completion_knows_every_command_and_option(String shell) {
        Said said = bench.alice("completion", shell);
        assertThat(said.code()).isEqualTo(0);
        for (String path : Commands.PATHS) {
            assertThat(said.out()).contains(path.substring(path.indexOf(' ') + 1));
            for (OptionSpec option : Commands.shape(path).spec().options()) {
                String name = option.longestName();
                assertThat(said.out()).contains(shell.equals("fish") ? " -l " + name.substring(2) : name);
            }
        }
    }

    @Test
    void the_version_is_told() {
        assertThat(bench.alice("version").out()).matches("interlock \\d+\\.\\d+\\.\\d+\\S* \\(Java 25.*\\)\n");
        assertThat(bench.alice("--version")).isEqualTo(bench.alice("version"));
    }
}

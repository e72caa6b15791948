package dev.interlock.app;

import static dev.interlock.app.BadInputIT.assertOneSentence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong about work is told in one sentence, changes nothing, and leaves its target free or says why not. */
class BadWorkIT {
    private static final int USAGE = 64;
    private static final int REFUSED = 75;
    private static final int FORBIDDEN = 77;

    private static final String DECLARATIONS = """
            workflows:
              say: {command: [echo, hello]}
              missing: {command: [no-such-command]}
              missing-again: {command: [no-such-command], preset: remediation}
              locked: {command: [/etc/passwd]}
            """;

    /** A lifecycle, with holes for what may be wrong in it. */
    private static final String LIFECYCLE = """
            lifecycles:
              thing:
                states: [NEW, BUSY, GOOD, BAD%s]
                initial: NEW
                workflows:
                  MAKE:
                    from: [NEW%s]
                    during: %s
                    onSuccess: GOOD
                    onFailure: BAD
            """;

    private static Workforce force;

    @BeforeAll
    static void startStore() throws IOException, SQLException {
        force = Workforce.declaring(DECLARATIONS);
        force.hire();
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException, SQLException {
        force.close();
    }

    private static Arguments wrong(String sentence, String yaml) {
        return arguments(sentence, yaml);
    }

    static Stream<Arguments> declarations() {
        return Stream.of(
                wrong(
                        "8: Unknown state 'BUSSY' in 'during' of workflow 'MAKE'; the nearest is 'BUSY'.",
                        LIFECYCLE.formatted("", ", BAD", "BUSSY")),
                wrong(
                        "3: State 'LOST' can never be reached from 'NEW': no workflow that can start leads to it.",
                        LIFECYCLE.formatted(", LOST", ", BAD", "BUSY")),
                wrong(
                        "8: There is no way out of 'BUSY' when workflow 'MAKE' fails: it leads to 'BAD', from which no"
                                + " workflow starts.",
                        LIFECYCLE.formatted("", "", "BUSY")),
                wrong(
                        "3: Key 'twice' is there twice, first on line 2.",
                        "workflows:\n  twice: {command: ['true']}\n  twice: {command: ['true']}\n"),
                wrong(
                        "2: Unknown key 'comand' in workflow 'slip'; the nearest is 'command'.",
                        "workflows:\n  slip: {comand: ['true']}\n"),
                wrong("3: This is not YAML:", "workflows:\n  open: [\n"));
    }

    @ParameterizedTest
    @MethodSource("declarations")
    void a_wrong_declaration_is_told_with_its_place_and_nothing_is_published(String sentence, String yaml)
            throws IOException {
        Path file = Files.writeString(force.path("wrong.yaml"), yaml);
        String published = force.say("workflows", "list").out();

        Running.Result applied = force.cli().run("workflows", "apply", file.toString());
        Running.Result worker = force.cli().run("worker", "-d", file.toString());

        for (Running.Result result : List.of(applied, worker)) {
            assertThat(result.status()).isEqualTo(USAGE);
            assertThat(result.out()).isEmpty();
            assertThat(result.err().lines().toList())
                    .anyMatch(line -> line.startsWith(file + ":" + sentence))
                    .allMatch(line -> line.startsWith(file + ":") || line.endsWith("nothing was published."))
                    .noneMatch(line -> line.contains("Exception"));
        }
        assertThat(force.say("workflows", "list").out()).isEqualTo(published);
    }

    @Test
    void one_name_in_two_files_is_told_with_both_places() throws IOException {
        String workflow = "workflows:\n  twin: {command: ['true']}\n";
        Path one = Files.writeString(force.path("one.yaml"), workflow);
        Path other = Files.writeString(force.path("other.yaml"), workflow);

        Running.Result result = force.cli().run("workflows", "apply", one.toString(), other.toString());

        assertThat(result).isEqualTo(new Running.Result(USAGE, "", """
                %s:2: Workflow 'twin' is declared twice, first in %s:2.
                interlock: One thing is wrong; nothing was published.
                """.formatted(other, one)));
        assertThat(force.say("workflows", "list").out()).doesNotContain("twin");
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                arguments("Nobody has declared a workflow 'sya'; the nearest is 'say'.", List.of("sya", "t")),
                arguments("U+000A", List.of("say", "two\nlines")),
                arguments("at most 512 characters", List.of("say", "t".repeat(600))),
                arguments(
                        "at most 65536 bytes; 'SIZE' has 70000",
                        List.of("say", "t", "-p", "SIZE=" + "x".repeat(70_000))),
                arguments("U+0007", List.of("say", "t", "-p", "SOUND=bell\u0007")),
                arguments("U+001B", List.of("say", "t", "-p", "COLOUR=\u001b[31m")),
                arguments("reserved", List.of("say", "t", "-p", "INTERLOCK_TOKEN=7")),
                arguments("--parameter takes NAME=VALUE", List.of("say", "t", "-p", "NAME")),
                arguments("idempotency key", List.of("say", "t", "--key", " ")),
                arguments("--on-busy", List.of("say", "t", "--on-busy", "push")));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_malformed_request_is_told_and_its_target_stays_free(String part, List<String> words) {
        List<String> all = new ArrayList<>(List.of("executions", "submit"));
        all.addAll(words);

        assertOneSentence(force.cli().run(all.toArray(new String[0])), USAGE, part);
        assertThat(force.say("why", "t", "--workflow", "say").out()).startsWith("say on 't' would start now.\n");
    }

    @Test
    void a_key_that_belongs_to_another_request_is_refused() {
        assertThat(force.cli()
                        .run("executions", "submit", "say", "a", "--key", "mine", "-q")
                        .status())
                .isZero();

        assertOneSentence(
                force.cli().run("executions", "submit", "say", "b", "--key", "mine"), REFUSED, "Use a new key.");
        assertThat(force.say("executions", "list", "--target", "b").out()).isEmpty();
    }

    @Test
    void a_command_that_cannot_be_started_is_told_as_by_a_shell_and_blocks_its_target_only_where_that_is_declared() {
        Running.Result missing = force.cli().run("executions", "submit", "missing", "m", "-q", "-f");
        Running.Result locked = force.cli().run("executions", "submit", "locked", "l", "-q", "-f");
        Running.Result again = force.cli().run("executions", "submit", "missing-again", "r", "-q", "-f");

        assertOneSentence(missing, 127, "no-such-command: command not found.");
        assertOneSentence(locked, 126, "/etc/passwd: Permission denied.");
        assertOneSentence(again, 127, "no-such-command: command not found.");
        assertThat(force.say("why", "m", "--workflow", "say").out()).startsWith("say on 'm' would start now.\n");
        assertThat(force.say("why", "r", "--workflow", "missing-again").out())
                .startsWith("missing-again on 'r' would wait.\n")
                .contains("failed on 'r' before its work began");
    }

    /** Even whoever owns tables may do with them only what is granted. */
    @Test
    void a_worker_without_rights_to_the_tables_is_told_so_and_does_not_start() {
        for (String tables : List.of("ALL TABLES IN SCHEMA interlock", "interlock.worker", "interlock.execution")) {
            force.server().execute("REVOKE ALL ON " + tables + " FROM CURRENT_USER");
            try {
                Running.Result worker = force.cli()
                        .run("worker", "-q", "-d", force.declarations().toString());

                assertOneSentence(worker, FORBIDDEN, "permission denied");
            } finally {
                force.server().execute("GRANT ALL ON ALL TABLES IN SCHEMA interlock TO CURRENT_USER");
            }
        }
        String next = force.submit("say", "after", List.of());
        force.awaitPhase(next, "COMPLETED");
    }
}

package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong is told in one sentence, without a stack trace, and has its exit code. */
class BadInputIT {
    private static final int USAGE = 64;
    private static final int UNAVAILABLE = 69;
    private static final int FORBIDDEN = 77;
    private static final int MISCONFIGURED = 78;

    private static Homes homes;
    private static Server server;
    private static Cli interlock;

    @BeforeAll
    static void startStore() throws IOException {
        homes = new Homes();
        server = Server.started(homes.path("home"));
        interlock = Cli.in(homes.path("home"));
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        homes.close();
    }

    static void assertOneSentence(Running.Result result, int status, String part) {
        assertThat(result.status()).as(result.err()).isEqualTo(status);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("interlock: ")
                .endsWith("\n")
                .contains(part)
                .doesNotContain("Exception", "\tat ", "null", "\u0007", "\033")
                .hasSizeLessThan(1_000);
    }

    private static Arguments usage(String part, String... words) {
        return arguments(part, List.of(words));
    }

    static Stream<Arguments> usages() {
        return Stream.of(
                usage("lock name must not be empty", "run", "--lock", "", "--", "true"),
                usage("at most 512 characters", "run", "--lock", "x".repeat(10_000), "--", "true"),
                usage("U+0007", "run", "--lock", "bell\u0007", "--", "true"),
                usage("--ttl", "run", "--ttl", "0s", "--lock", "x", "--", "true"),
                usage("--ttl", "run", "--ttl=-5s", "--lock", "x", "--", "true"),
                usage("--ttl", "run", "--ttl", "99999999999999999999d", "--lock", "x", "--", "true"),
                usage("--ttl", "run", "--ttl", "soon", "--lock", "x", "--", "true"),
                usage("--wait", "run", "--wait=-1s", "--lock", "x", "--", "true"),
                usage("--timeout", "run", "--timeout", "0s", "--lock", "x", "--", "true"),
                usage("--grace", "run", "--grace", "1h", "--lock", "x", "--", "true"),
                usage("which lock", "run", "--", "true"),
                usage("what to run", "run", "--lock", "x"),
                usage("--lokc", "run", "--lokc", "x", "--", "true"),
                usage("password", "run", "--store", "postgres://me:secret@localhost/db", "--lock", "x", "--", "true"),
                usage("postgres://", "run", "--store", "mysql://localhost/db", "--lock", "x", "--", "true"));
    }

    @ParameterizedTest
    @MethodSource("usages")
    void wrong_usage_is_told(String part, List<String> words) {
        Running.Result result = interlock.run(words.toArray(new String[0]));

        assertOneSentence(result, USAGE, part);
        assertThat(result.err()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE interlock.lock; --",
                "\uD83D\uDD12 prod \uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
                "\u0642\u0641\u0644 \u05DE\u05E0\u05E2\u05D5\u05DC"
            })
    void an_unusual_name_is_a_name(String name) {
        String words = " run --lock \"$(printf '" + octal(name) + "')\" -- printenv INTERLOCK_LOCK";
        String launcher = interlock.launcher().toString();

        Running.Result result = interlock.at(Path.of("/bin/sh")).run("-c", "exec '" + launcher + "'" + words);

        assertThat(result).isEqualTo(new Running.Result(0, name + "\n", ""));
    }

    /** Bytes, so that the locale in which the tests run does not matter. */
    private static String octal(String text) {
        StringBuilder escapes = new StringBuilder();
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            escapes.append('\\').append("%03o".formatted(unit & 0xff));
        }
        return escapes.toString();
    }

    private static Running.Result run(Cli cli, String... command) {
        List<String> words = new ArrayList<>(List.of("run", "--lock", "x", "--"));
        Collections.addAll(words, command);
        return cli.run(words.toArray(new String[0]));
    }

    @Test
    void a_command_that_cannot_be_started_is_told_as_by_a_shell() {
        assertOneSentence(run(interlock, "no-such-command"), 127, "no-such-command");
        assertOneSentence(run(interlock, "/etc/passwd"), 126, "/etc/passwd");
        assertThat(server.holder("x")).isZero();
    }

    @Test
    void a_command_that_dies_of_a_signal_is_no_news_of_ours() {
        assertThat(run(interlock, "sh", "-c", "kill -KILL $$")).isEqualTo(new Running.Result(128 + 9, "", ""));
        assertThat(run(interlock, "sh", "-c", "kill -TERM $$")).isEqualTo(new Running.Result(128 + 15, "", ""));
    }

    @Test
    void a_store_that_cannot_be_reached_is_told() {
        Running.Result result = run(interlock.with("INTERLOCK_STORE", Server.url("secret", 1)), "true");

        assertOneSentence(result, UNAVAILABLE, "cannot be reached");
        assertThat(result.err()).doesNotContain("secret");
    }

    @Test
    void a_wrong_password_is_told() {
        String url = Server.url("secret", server.address().port());

        Running.Result result = run(interlock.with("INTERLOCK_STORE", url), "true");

        assertOneSentence(result, FORBIDDEN, "password");
        assertThat(result.err()).doesNotContain("secret");
    }

    @Test
    void a_database_that_is_not_there_is_told() {
        assertOneSentence(
                run(interlock.with("INTERLOCK_STORE", server.url() + "2"), "true"), MISCONFIGURED, "database");
    }

    @Test
    void a_schema_that_is_newer_than_the_program_is_told() {
        server.execute("UPDATE interlock.store SET schema_version = schema_version + 1000");
        try {
            assertOneSentence(run(interlock, "true"), MISCONFIGURED, "newer");
        } finally {
            server.execute("UPDATE interlock.store SET schema_version = schema_version - 1000");
        }
    }

    @Test
    void a_home_that_cannot_be_written_to_is_told() throws IOException {
        String file = Files.createFile(homes.path("file")).toString();

        assertOneSentence(run(interlock.with("INTERLOCK_HOME", file + "/home"), "true"), UNAVAILABLE, file);
    }
}

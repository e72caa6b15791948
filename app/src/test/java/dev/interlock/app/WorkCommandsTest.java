package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.app.InProcess.Said;
import dev.interlock.core.Lease;
import dev.interlock.core.Ports;
import dev.interlock.core.system.SystemPorts;
import dev.interlock.core.work.WorkStores;
import dev.interlock.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations, resources and workers by the command, on a real server; each test has names of its own. */
@TestMethodOrder(MethodName.class)
class WorkCommandsTest {
    private static Path base;
    private static Map<String, String> environment;

    @BeforeAll
    static void start() throws IOException {
        base = Files.createTempDirectory("interlock-app");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        environment = Map.of("INTERLOCK_HOME", base.resolve("home").toString());
        new EmbeddedPostgres(base.resolve("home"), notice -> {}).address();
    }

    @AfterAll
    static void stop() throws Exception {
        new EmbeddedPostgres(base.resolve("home"), notice -> {}).stop();
        OtherServer.delete(base);
    }

    private static Said run(String... words) {
        return InProcess.run(environment, words);
    }

    private static Path lifecycle(String name, String states) throws IOException {
        return Files.writeString(base.resolve(name + ".yaml"), """
                lifecycles:
                  %s:
                    states: [NEW, BUSY, %s, BAD]
                    initial: NEW
                    unique: {fields: [name]}
                    workflows:
                      MAKE:
                        from: [NEW, BAD]
                        during: BUSY
                        onSuccess: %s
                        onFailure: BAD
                        command: [./make.sh, "two words"]
                """.formatted(name, states, states));
    }

    private static Said apply(Path file) {
        return run("workflows", "apply", file.toString());
    }

    @Test
    void what_is_declared_is_published_once_and_listed() throws IOException {
        Path file = lifecycle("listed", "GOOD");
        assertThat(apply(file)).isEqualTo(new Said(0, "", "interlock: Declared lifecycle 'listed'.\n"));
        assertThat(apply(file)).isEqualTo(new Said(0, "", "interlock: Nothing has changed.\n"));
        assertThat(run("workflows", "apply", file.toString(), "-o", "json").out())
                .isEqualTo("""
                {
                  "changes": []
                }
                """);
        assertThat(run("workflows", "list").out().lines())
                .contains(
                        "WORKFLOW  LIFECYCLE  FROM      TO    COMMAND",
                        "MAKE      listed     NEW, BAD  GOOD  ./make.sh 'two words'");
        assertThat(run("workflows", "list", "-o", "yaml").out()).contains("""
                  - name: listed
                    states:
                      - NEW
                """).contains("        onFailure: BAD\n");
    }

    @Test
    void what_is_wrong_is_told_with_its_place_and_nothing_is_published() throws IOException {
        Path wrong = Files.writeString(base.resolve("wrong.yaml"), """
                workflows:
                  ring: {timout: 5m}
                  bell: {timeout: 5}
                """);
        assertThat(apply(wrong)).isEqualTo(new Said(64, "", """
                %1$s:2: Unknown key 'timout' in workflow 'ring'; the nearest is 'timeout'.
                %1$s:3: 'timeout' of workflow 'bell': '5' lacks a unit; write for example 5s or 5m.
                interlock: 2 things are wrong; nothing was published.
                """.formatted(wrong)));
        assertThat(run("workflows", "list").out()).doesNotContain("bell");
    }

    @Test
    void a_check_needs_no_store() throws IOException {
        Path file = lifecycle("checked", "GOOD");
        assertThat(run("workflows", "apply", "--check", file.toString(), "--store", "postgres://nowhere.invalid/x"))
                .isEqualTo(new Said(0, "", "interlock: Nothing is wrong with it.\n"));
    }

    @Test
    void a_resource_is_registered_shown_and_listed() throws IOException {
        apply(lifecycle("kept", "GOOD"));
        String[] register = {
            "resources", "register", "things/1", "--lifecycle", "kept", "--field", "name=a=b", "--field", "size="
        };
        assertThat(run(register)).isEqualTo(new Said(0, "", "interlock: Registered 'things/1' in state 'NEW'.\n"));
        assertThat(run(register))
                .isEqualTo(new Said(0, "", "interlock: 'things/1' is registered already; it is in state 'NEW'.\n"));

        assertThat(run("resources", "show", "things/1").out()).matches("""
                Resource     things/1
                Lifecycle    kept
                State        NEW
                Allowed      MAKE
                Registered   \\S+
                Lives until  -
                Field name   a=b
                Field size
                """);
        assertThat(run("resources", "list", "--lifecycle", "kept").out()).isEqualTo("""
                TARGET    LIFECYCLE  STATE  EXECUTION  LIVES UNTIL
                things/1  kept       NEW    -          -
                """);
        assertThat(run("resources", "list", "--lifecycle", "kept", "--state", "BAD"))
                .isEqualTo(new Said(
                        0, "", "interlock: There is no such resource. See: interlock resources register --help\n"));
        assertThat(run("resources", "show", "things/1", "-o", "json").out())
                .contains("\"name\": \"a=b\"", "\"allowed\": [\n    \"MAKE\"\n  ]");
    }

    @Test
    void what_is_against_a_rule_is_refused_with_75() throws IOException {
        apply(lifecycle("ruled", "GOOD"));
        run("resources", "register", "ruled/1", "--lifecycle", "ruled", "--field", "name=x", "--ttl", "8h");
        assertThat(run("resources", "register", "ruled/2", "--lifecycle", "ruled", "--field", "name=x"))
                .isEqualTo(
                        new Said(
                                75,
                                "",
                                "interlock: Refused: resource 'ruled/1' in state 'NEW' has the same name. See: interlock resources show ruled/1\n"));
        assertThat(run("resources", "register", "ruled/1", "--lifecycle", "ruled", "--field", "name=y")
                        .code())
                .isEqualTo(75);
        assertThat(run("resources", "register", "ruled/2", "--lifecycle", "rulde", "--field", "name=y"))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: Refused: nobody has declared a lifecycle 'rulde'; the nearest is 'ruled'.\n"));
        assertThat(run("resources", "register", "ruled/2", "--lifecycle", "ruled"))
                .isEqualTo(new Said(
                        75,
                        "",
                        "interlock: Refused: lifecycle 'ruled' tells resources apart by name: give each a value.\n"));
        assertThat(run("resources", "show", "ruled/2"))
                .isEqualTo(
                        new Said(75, "", "interlock: There is no resource 'ruled/2'. See: interlock resources list\n"));
        assertThat(run("workers", "drain", "nobody"))
                .isEqualTo(new Said(75, "", "interlock: There is no worker 'nobody'. See: interlock workers list\n"));
    }

    @Test
    void workers_are_listed_and_drained() {
        assertThat(run("workers", "list")).isEqualTo(new Said(0, "", "interlock: No worker is there.\n"));
        Ports ports = SystemPorts.create();
        try (WorkStores stores = new ConfiguredStores(environment, ports).work(null, notice -> {})) {
            Lease lease = new Lease(UUID.randomUUID(), "build-7:42:ab", "ci", Duration.ofMinutes(5));
            stores.workers().present(lease, 4, Set.of("ring", "door/SHUT"), "0.1.0");
            assertThat(run("workers", "drain", "build-7:42:ab"))
                    .isEqualTo(new Said(
                            0, "", "interlock: Worker build-7:42:ab takes nothing new, and leaves when it is done.\n"));
            assertThat(run("workers", "list").out()).matches("""
                    ID             STATUS    RUNNING  SLOTS  SINCE                 VERSION  WORKFLOWS
                    build-7:42:ab  draining  0        4      \\S+  0.1.0    door/SHUT, ring
                    """);
            stores.workers().leave("build-7:42:ab");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dynamodb://locks", "kubernetes://default"})
    void a_store_that_keeps_only_locks_says_so(String address) {
        for (String[] words : new String[][] {{"workflows", "list"}, {"resources", "list"}, {"workers", "list"}}) {
            assertThat(run(words[0], words[1], "--store", address))
                    .isEqualTo(new Said(
                            64,
                            "",
                            "interlock: Executions, resources and workers need a store on PostgreSQL; " + address
                                    + " keeps locks only. Name one with --store postgres://HOST/DATABASE See: interlock "
                                    + words[0] + " " + words[1] + " --help\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workflows apply | Say which files, as in interlock workflows apply FILE.",
                "resources register x --lifecycle l --field y | --field takes KEY=VALUE, not 'y'.",
                "resources register x --lifecycle l --field =y | --field takes KEY=VALUE, not '=y'.",
                "resources register x --lifecycle l --field a=1 --field a=2 | --field gives 'a' twice.",
                "resources register x --lifecycle l --ttl 0s | --ttl must be between 1s and 366d, not 0s.",
                "resources list --limit 0 | --limit takes a number between 1 and 1000, not '0'.",
            })
    void what_cannot_be_understood_is_answered_with_64(String line, String sentence) {
        Said said = run(line.split(" "));
        assertThat(said.code()).isEqualTo(64);
        assertThat(said.err()).startsWith("interlock: " + sentence + " See: ");
    }
}

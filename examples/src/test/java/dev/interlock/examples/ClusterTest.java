package dev.interlock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.declaration.Declarations;
import dev.interlock.declaration.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ClusterTest {
    private static final Path HERE = Path.of("cluster").toAbsolutePath();

    @TempDir
    Path cloud;

    record Ran(int exit, String said) {}

    @Test
    void the_lifecycle_of_the_example_is_the_one_of_the_book() {
        Reading.Declared declared = read();
        assertThat(declared.catalogue().workflows()).isEmpty();
        assertThat(declared.catalogue().lifecycles()).containsOnlyKeys("cluster");
        assertThat(declared.catalogue()
                        .lifecycles()
                        .get("cluster")
                        .declaration()
                        .withoutLines())
                .isEqualTo(new Declaration(
                        Word.of("cluster"),
                        words("PENDING", "CREATING", "READY", "SCALING", "DESTROYING", "DESTROYED", "FAILED"),
                        Word.of("PENDING"),
                        List.of(
                                step("CREATE", words("PENDING"), "CREATING", "READY", "./create.sh", 90),
                                step(
                                        "DESTROY",
                                        words("READY", "FAILED"),
                                        "DESTROYING",
                                        "DESTROYED",
                                        "./destroy.sh",
                                        60),
                                step(
                                        "JANITOR_DESTROY",
                                        words("READY", "FAILED"),
                                        "DESTROYING",
                                        "DESTROYED",
                                        "./destroy.sh",
                                        60),
                                step("SCALE_WORKERS", words("READY"), "SCALING", "READY", "./scale.sh", 30)),
                        new Unique(words("name", "platform", "base_domain"), words("DESTROYED"), 0)));
    }

    @Test
    void a_worker_finds_the_scripts_beside_the_declaration() {
        var step = read().here().lifecycles().get("cluster").step("CREATE");
        assertThat(step.workflow().command())
                .containsExactly(HERE.resolve("create.sh").toString());
        assertThat(HERE.resolve("create.sh")).isExecutable();
    }

    @Test
    void the_same_attempt_may_be_asked_again() throws Exception {
        assertThat(run("create.sh", 7, Map.of()).exit()).isZero();
        Map<String, String> created = cluster();
        assertThat(created).isEqualTo(Map.of("network", "10.0.0.0/16", "control-plane", "ready", "workers", "3"));
        assertThat(run("create.sh", 7, Map.of()).exit()).isZero();
        assertThat(cluster()).isEqualTo(created);
    }

    @Test
    void a_stale_token_changes_nothing() throws Exception {
        run("create.sh", 7, Map.of());
        assertThat(run("scale.sh", 9, Map.of("WORKERS", "5")).exit()).isZero();
        Map<String, String> scaled = cluster();

        assertThat(run("scale.sh", 8, Map.of("WORKERS", "2")))
                .isEqualTo(new Ran(1, "clusters/blue: token 8 is stale, 9 has been here; nothing is changed\n"));
        assertThat(run("destroy.sh", 8, Map.of()).exit()).isEqualTo(1);
        assertThat(cluster()).isEqualTo(scaled).containsEntry("workers", "5");
    }

    @Test
    void what_is_destroyed_is_not_brought_back_by_somebody_late() throws Exception {
        run("create.sh", 7, Map.of());
        assertThat(run("destroy.sh", 10, Map.of()).exit()).isZero();
        assertThat(run("destroy.sh", 10, Map.of()).exit()).isZero();
        assertThat(run("create.sh", 9, Map.of()).exit()).isEqualTo(1);
        assertThat(cluster()).isEmpty();
    }

    private static Reading.Declared read() {
        Reading reading = Declarations.read(List.of(HERE.resolve("cluster.yaml")));
        assertThat(reading).isInstanceOf(Reading.Declared.class);
        return (Reading.Declared) reading;
    }

    private static Step step(
            String name, List<Word> from, String during, String onSuccess, String script, int minutes) {
        Retry safe = new Retry(3, Duration.ofMinutes(5), Duration.ofMinutes(30), true);
        Workflow workflow = Workflow.plain(name)
                .withCommand(List.of(script))
                .withPolicy(
                        Policy.PLAIN.withTimeout(Duration.ofMinutes(minutes)).withRetry(safe));
        return new Step(Word.of(name), from, Word.of(during), Word.of(onSuccess), Word.of("FAILED"), workflow);
    }

    private static List<Word> words(String... texts) {
        return Stream.of(texts).map(Word::of).toList();
    }

    private Ran run(String script, long token, Map<String, String> parameters) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(HERE.resolve(script).toString()).redirectErrorStream(true);
        builder.environment().putAll(parameters);
        builder.environment().put("CLOUD", cloud.toString());
        builder.environment().put("INTERLOCK_TARGET", "clusters/blue");
        builder.environment().put("INTERLOCK_TOKEN", Long.toString(token));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), said);
    }

    private Map<String, String> cluster() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        try (Stream<Path> files = Files.walk(cloud, 2)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                properties.put(
                        file.getFileName().toString(), Files.readString(file).strip());
            }
        }
        return properties;
    }
}

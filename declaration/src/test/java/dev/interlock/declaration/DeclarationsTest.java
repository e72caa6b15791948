package dev.interlock.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.execution.Retry;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Declaration.Unique;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import dev.interlock.core.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclarationsTest {
    @TempDir
    Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static Reading.Declared declared(Path... files) {
        Reading reading = Declarations.read(List.of(files));
        assertThat(reading).isInstanceOf(Reading.Declared.class);
        return (Reading.Declared) reading;
    }

    @Test
    void every_value_can_be_set() throws IOException {
        Path file = file("all.yaml", """
                workflows:
                  restart:
                    command: [bin/restart, --now, "a b"]
                    preset: remediation
                    cooldown: 1h30m
                    cooldownScope: target
                    block: workflow
                    backoff: {base: 90s, max: 5m, limit: 3, probeAfter: none}
                    retry: {attempts: 5, first: 10s, longest: 1m, afterLoss: true}
                    timeout: 45m
                    lease: 20s
                    transientExits: [75, 111]
                """);
        Policy policy = new Policy(
                Duration.ofMinutes(90),
                Scope.TARGET,
                Scope.WORKFLOW,
                new Backoff(Duration.ofSeconds(90), Duration.ofMinutes(5), 3, null),
                new Retry(5, Duration.ofSeconds(10), Duration.ofMinutes(1), true),
                Duration.ofMinutes(45),
                Duration.ofSeconds(20));
        assertThat(declared(file).catalogue().workflows())
                .isEqualTo(Map.of(
                        "restart",
                        new Workflow("restart", List.of("bin/restart", "--now", "a b"), Set.of(75, 111), policy)));
    }

    @Test
    void what_is_not_set_is_as_in_the_preset() throws IOException {
        Path file = file("defaults.yaml", """
                workflows:
                  plain: {}
                  also-plain: {preset: plain}
                  careful: {preset: remediation}
                  careless: {preset: remediation, block: none, backoff: none, timeout: none, retry: none, cooldown: 0s}
                  backed-off: {backoff: {}}
                """);
        Policy careless = Policy.REMEDIATION
                .withBlock(null)
                .withBackoff(null)
                .withTimeout(null)
                .withCooldown(Duration.ZERO, Scope.WORKFLOW);
        assertThat(declared(file).catalogue().workflows())
                .isEqualTo(Map.of(
                        "plain", Workflow.plain("plain"),
                        "also-plain", Workflow.plain("also-plain"),
                        "careful", Workflow.plain("careful").withPolicy(Policy.REMEDIATION),
                        "careless", Workflow.plain("careless").withPolicy(careless),
                        "backed-off",
                                Workflow.plain("backed-off").withPolicy(Policy.PLAIN.withBackoff(Backoff.DEFAULT))));
    }

    @Test
    void words_know_their_lines() throws IOException {
        Path file = file("door.yaml", """
                lifecycles:
                  door:
                    states: [OPEN, MOVING, SHUT, JAMMED]
                    initial: OPEN
                    unique:
                      fields: name
                    workflows:
                      SHUT:
                        from:
                          - OPEN
                          - JAMMED
                        during: MOVING
                        onSuccess: SHUT
                        onFailure: JAMMED
                """);
        Step step = new Step(
                new Word("SHUT", 8),
                List.of(new Word("OPEN", 10), new Word("JAMMED", 11)),
                new Word("MOVING", 12),
                new Word("SHUT", 13),
                new Word("JAMMED", 14),
                Workflow.plain("SHUT"));
        Declaration door = new Declaration(
                new Word("door", 2),
                List.of(new Word("OPEN", 3), new Word("MOVING", 3), new Word("SHUT", 3), new Word("JAMMED", 3)),
                new Word("OPEN", 4),
                List.of(step),
                new Unique(List.of(new Word("name", 6)), List.of(), 6));
        assertThat(declared(file).catalogue().lifecycles()).isEqualTo(Map.of("door", new Lifecycle(door)));
    }

    @Test
    void several_files_are_one_catalogue() throws IOException {
        Path one = file("one.yaml", "workflows: {a: {}}");
        Path other = file("other.yaml", "workflows: {b: {}}");
        assertThat(declared(one, other).catalogue().workflows()).containsOnlyKeys("a", "b");
    }

    @Test
    void a_command_with_a_slash_lies_beside_its_file() throws IOException {
        Path below = Files.createDirectory(directory.resolve("below"));
        Path file = Files.writeString(below.resolve("w.yaml"), """
                workflows:
                  beside: {command: [./run.sh, ./stays.sh]}
                  above: {command: [../run.sh]}
                  searched: {command: [terraform, apply]}
                  absolute: {command: [/bin/true]}
                  handled: {}
                """);
        Reading.Declared declared = declared(file);
        assertThat(declared.here().workflows().values())
                .extracting(Workflow::command)
                .containsExactlyInAnyOrder(
                        List.of(below.resolve("run.sh").toString(), "./stays.sh"),
                        List.of(directory.resolve("run.sh").toString()),
                        List.of("terraform", "apply"),
                        List.of("/bin/true"),
                        List.of());
        assertThat(declared.catalogue().workflows().get("beside").command()).containsExactly("./run.sh", "./stays.sh");
    }

    /** The schema of YAML 1.1 would make booleans, numbers and dates of these. */
    @Test
    void every_word_is_a_word() throws IOException {
        Path file = file("words.yaml", "workflows: {no: {command: [on, 1_000, 2026-11-16, 0o17]}}");
        assertThat(declared(file).catalogue().workflows().get("no").command())
                .containsExactly("on", "1_000", "2026-11-16", "0o17");
    }
}

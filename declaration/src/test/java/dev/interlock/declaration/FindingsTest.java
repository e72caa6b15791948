package dev.interlock.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FindingsTest {
    private static final String DOOR = """
            lifecycles:
              door:
                states: [OPEN, MOVING, SHUT, JAMMED]
                initial: OPEN
                unique: {fields: [name], freeIn: [SHUT]}
                workflows:
                  CLOSE:
                    from: [OPEN, JAMMED]
                    during: MOVING
                    onSuccess: SHUT
                    onFailure: JAMMED
                    command: [./close.sh]
                    timeout: 5m
                    lease: 30s
                    cooldown: 0s
                    cooldownScope: workflow
                    block: none
                    preset: plain
                    retry: {attempts: 3, first: 10s, longest: 1m, afterLoss: false}
                    backoff: {base: 1m, max: 10m, limit: 5, probeAfter: 1h}
                    transientExits: [75]
            workflows:
              ring:
                command: [bell]
            """;

    @TempDir
    Path directory;

    /** A slip of the pen, and what must be said of it. */
    record Slip(String written, String instead, List<String> expected) {
        @Override
        public String toString() {
            return instead;
        }
    }

    private static Slip slip(String written, String instead, String... expected) {
        return new Slip(written, instead, List.of(expected));
    }

    static Stream<Slip> slips() {
        return Stream.of(
                slip(
                        "states:",
                        "sates:",
                        "3: Unknown key 'sates' in lifecycle 'door'; the nearest is 'states'.",
                        "2: Missing key 'states' in lifecycle 'door'."),
                slip(
                        "lifecycles:",
                        "lifecycle:",
                        "1: Unknown key 'lifecycle' in the file; the nearest is 'lifecycles'."),
                slip("timeout:", "timout:", "13: Unknown key 'timout' in workflow 'CLOSE'; the nearest is 'timeout'."),
                slip(
                        "attempts:",
                        "atempts:",
                        "19: Unknown key 'atempts' in 'retry' of workflow 'CLOSE'; the nearest is 'attempts'."),
                slip(
                        "command: [bell]",
                        "comand: [bell]",
                        "24: Unknown key 'comand' in workflow 'ring'; the nearest is 'command'."),
                slip(
                        "initial: OPEN\n",
                        "initial: OPNE\n",
                        "4: Unknown state 'OPNE' in initial; the nearest is 'OPEN'."),
                slip(
                        "during: MOVING",
                        "during: MOVIN",
                        "9: Unknown state 'MOVIN' in 'during' of workflow 'CLOSE'; the nearest is 'MOVING'."),
                slip(
                        "freeIn: [SHUT]",
                        "freeIn: [SHUTT]",
                        "5: Unknown state 'SHUTT' in the states in which a name is free; the nearest is 'SHUT'."),
                slip(
                        "SHUT, JAMMED]",
                        "SHUT, JAMMED, LOST]",
                        "3: State 'LOST' can never be reached from 'OPEN': no workflow that can start leads to it."),
                slip(
                        "from: [OPEN, JAMMED]",
                        "from: [OPEN]",
                        "9: There is no way out of 'MOVING' when workflow 'CLOSE' fails: it leads to 'JAMMED', from which no workflow starts."),
                slip(
                        "from: [OPEN, JAMMED]",
                        "from: []",
                        "7: Workflow 'CLOSE' can never start: its 'from' names no state.",
                        "3: State 'MOVING' can never be reached from 'OPEN': no workflow that can start leads to it.",
                        "3: State 'SHUT' can never be reached from 'OPEN': no workflow that can start leads to it.",
                        "3: State 'JAMMED' can never be reached from 'OPEN': no workflow that can start leads to it.",
                        "9: There is no way out of 'MOVING' when workflow 'CLOSE' fails: it leads to 'JAMMED', from which no workflow starts."),
                slip(
                        "from: [OPEN, JAMMED]",
                        "from: [OPEN, JAMMED, OPEN]",
                        "8: In 'from' of workflow 'CLOSE', state 'OPEN' is named twice, first on line 8."),
                slip("        from: [OPEN, JAMMED]\n", "", "7: Missing key 'from' in workflow 'CLOSE'."),
                slip(
                        "        during: MOVING\n",
                        "        during:\n",
                        "9: 'during' of workflow 'CLOSE' takes a word, not nothing."),
                slip("during: MOVING", "during: [MOVING]", "9: 'during' of workflow 'CLOSE' takes a word, not a list."),
                slip(
                        "from: [OPEN, JAMMED]",
                        "from: {OPEN: 1}",
                        "8: 'from' of workflow 'CLOSE' takes a list of words, not a map."),
                slip(
                        "from: [OPEN, JAMMED]",
                        "from: [[OPEN]]",
                        "8: 'from' of workflow 'CLOSE' takes a word, not a list."),
                slip(
                        "unique: {fields: [name], freeIn: [SHUT]}",
                        "unique: name",
                        "5: 'unique' of lifecycle 'door' must be a map, not 'name'.",
                        "5: Missing key 'fields' in 'unique' of lifecycle 'door'."),
                slip("fields: [name]", "fields: [name, name]", "5: Field 'name' is named twice, first on line 5."),
                slip("fields: [name]", "fields: []", "5: The rule of unique names lists no fields."),
                slip(
                        "timeout: 5m",
                        "timeout: 5",
                        "13: 'timeout' of workflow 'CLOSE': '5' lacks a unit; write for example 5s or 5m."),
                slip(
                        "timeout: 5m",
                        "timeout: soon",
                        "13: 'timeout' of workflow 'CLOSE': 'soon' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d."),
                slip(
                        "timeout: 5m",
                        "timeout: -5m",
                        "13: 'timeout' of workflow 'CLOSE': '-5m' is negative; a duration is not."),
                slip(
                        "timeout: 5m",
                        "timeout: 99999999999999999999d",
                        "13: 'timeout' of workflow 'CLOSE': '99999999999999999999d' is longer than any duration can be."),
                slip(
                        "timeout: 5m",
                        "timeout: [5m]",
                        "13: 'timeout' of workflow 'CLOSE' takes a duration such as 30s, 5m or 1h30m, not a list."),
                slip(
                        "timeout: 5m",
                        "timeout: 367d",
                        "13: 'timeout' of workflow 'CLOSE': A timeout must be between 100ms and 366 days, not 367d."),
                slip(
                        "lease: 30s",
                        "lease: 1ms",
                        "14: 'lease' of workflow 'CLOSE': A lease must be between 100ms and 366 days, not 1ms."),
                slip(
                        "cooldown: 0s",
                        "cooldown: 9999d",
                        "15: 'cooldown' of workflow 'CLOSE': A cooldown must be between 0s and 366 days, not 9999d."),
                slip(
                        "cooldownScope: workflow",
                        "cooldownScope: none",
                        "16: 'cooldownScope' of workflow 'CLOSE' takes target or workflow, not 'none'; the nearest is 'target'."),
                slip(
                        "block: none",
                        "block: targt",
                        "17: 'block' of workflow 'CLOSE' takes target or workflow or none, not 'targt'; the nearest is 'target'."),
                slip(
                        "preset: plain",
                        "preset: plane",
                        "18: 'preset' of workflow 'CLOSE' takes plain or remediation, not 'plane'; the nearest is 'plain'."),
                slip(
                        "attempts: 3",
                        "attempts: 0",
                        "19: 'attempts' of 'retry' of workflow 'CLOSE': An execution has 1 to 100 attempts, not 0."),
                slip(
                        "attempts: 3",
                        "attempts: three",
                        "19: 'attempts' of 'retry' of workflow 'CLOSE' takes a whole number, not 'three'."),
                slip(
                        "attempts: 3",
                        "attempts: 3000000000",
                        "19: 'attempts' of 'retry' of workflow 'CLOSE' takes a whole number, not '3000000000'."),
                slip(
                        "first: 10s",
                        "first: 2m",
                        "19: 'first' of 'retry' of workflow 'CLOSE': The wait before another attempt grows from 2m to 1m: it takes 0 < first <= longest <= 366 days."),
                slip(
                        "afterLoss: false",
                        "afterLoss: maybe",
                        "19: 'afterLoss' of 'retry' of workflow 'CLOSE' takes true or false, not 'maybe'; the nearest is 'false'."),
                slip(
                        "retry: {attempts: 3, first: 10s, longest: 1m, afterLoss: false}",
                        "retry: 3",
                        "19: 'retry' of workflow 'CLOSE' must be a map, not '3'."),
                slip(
                        "base: 1m",
                        "base: 0s",
                        "20: 'base' of 'backoff' of workflow 'CLOSE': A backoff grows from 0s to 10m: it takes 0 < base <= max <= 366 days."),
                slip(
                        "limit: 5",
                        "limit: -1",
                        "20: 'limit' of 'backoff' of workflow 'CLOSE': A target is closed after 1 failure or more, not -1."),
                slip(
                        "probeAfter: 1h",
                        "probeAfter: 0s",
                        "20: 'probeAfter' of 'backoff' of workflow 'CLOSE': A probe follows after more than nothing and at most 366 days, not 0s."),
                slip(
                        "transientExits: [75]",
                        "transientExits: 75",
                        "21: 'transientExits' of workflow 'CLOSE' takes a list of numbers, not '75'."),
                slip(
                        "transientExits: [75]",
                        "transientExits: [0, x]",
                        "21: An exit code of failure is between 1 and 255, not 0.",
                        "21: 'transientExits' of workflow 'CLOSE' takes a whole number, not 'x'."),
                slip(
                        "command: [bell]",
                        "command: bell",
                        "24: 'command' of workflow 'ring' takes a list of words such as [./create.sh] or [sh, -c, 'make all'], not 'bell'."),
                slip(
                        "command: [bell]",
                        "command: []",
                        "24: A command has at least one word: the program. Without the key a handler does the work."),
                slip(
                        "command: [bell]",
                        "command: [\"a\\0b\"]",
                        "24: 'command' of workflow 'ring': A word must not contain the character U+0000."),
                slip("  ring:", "  ring/door:", "23: The name of a workflow must not contain a slash."),
                slip("  door:", "  a/door:", "2: The name of a lifecycle must not contain a slash."),
                slip("  ring:\n    command: [bell]", "  ring: bell", "23: Workflow 'ring' must be a map, not 'bell'."),
                slip("  ring:\n    command: [bell]", "  - ring", "23: 'workflows' must be a map, not a list."),
                slip(
                        "    command: [bell]",
                        "    command: [bell]\n    command: [gong]",
                        "25: Key 'command' is there twice, first on line 24."),
                slip(
                        "    command: [bell]",
                        "    command: [bell]\n  ring: {}",
                        "25: Key 'ring' is there twice, first on line 23."),
                slip(
                        "    command: [bell]",
                        "    command: [bell]\nworkflows: {}",
                        "25: Key 'workflows' is there twice, first on line 22."),
                slip("command: [bell]", "command: *bell", "24: There is no anchor '&bell' before this alias."),
                slip("command: [bell]", "command: !shell [bell]", "24: Tags such as '!shell' mean nothing here."),
                slip("command: [bell]", "[bell]: command", "24: A key must be a word."),
                slip(
                        "    command: [bell]",
                        "\tcommand: [bell]",
                        "24: This is not YAML: a tab does not indent; use blanks."),
                slip(
                        "command: [bell]",
                        "command: [bell",
                        "25: This is not YAML: expected ',' or ']', but got <stream end>."),
                slip("command: [bell]", "command: a: b", "24: This is not YAML: mapping values are not allowed here."),
                slip(
                        "command: [bell]",
                        "command: [b\u0007ell]",
                        "24: This is not YAML: the character U+0007 is not allowed."),
                slip(
                        "    command: [bell]\n",
                        "    command: [bell]\n---\nworkflows: {}\n",
                        "25: A second document begins here; a file has one."));
    }

    @ParameterizedTest
    @MethodSource("slips")
    void every_slip_is_told_with_its_line(Slip slip) throws IOException {
        String text = DOOR.replace(slip.written(), slip.instead());
        assertThat(text).isNotEqualTo(DOOR);
        Path file = Files.writeString(directory.resolve("door.yaml"), text);
        assertThat(findings(file))
                .containsExactlyInAnyOrderElementsOf(
                        slip.expected().stream().map(said -> file + ":" + said).toList());
    }

    @Test
    void without_a_slip_nothing_is_told() throws IOException {
        Path file = Files.writeString(directory.resolve("door.yaml"), DOOR);
        assertThat(Declarations.read(List.of(file))).isInstanceOf(Reading.Declared.class);
    }

    @Test
    void all_findings_of_all_files_are_told_at_once_in_the_order_of_lines() throws IOException {
        Path one = Files.writeString(directory.resolve("one.yaml"), """
                lifecycles:
                  door: {}
                workflows:
                  ring: {timeout: 5, lease: 0s}
                  bell: {}
                """);
        Path other = Files.writeString(directory.resolve("other.yaml"), """
                workflows:
                  bell: {}
                """);
        assertThat(findings(one, other))
                .containsExactly(
                        one + ":2: Missing key 'states' in lifecycle 'door'.",
                        one + ":2: Missing key 'initial' in lifecycle 'door'.",
                        one + ":2: Missing key 'workflows' in lifecycle 'door'.",
                        one + ":4: 'timeout' of workflow 'ring': '5' lacks a unit; write for example 5s or 5m.",
                        one + ":4: 'lease' of workflow 'ring': A lease must be between 100ms and 366 days, not 0s.",
                        other + ":2: Workflow 'bell' is declared twice, first in " + one + ":5.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "---\n", "~\n", "null\n", "{}\n", "workflows: {}\n"})
    void an_empty_file_declares_nothing(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("empty.yaml"), text);
        assertThat(findings(file)).containsExactly(file + ": This file declares nothing.");
    }

    @Test
    void what_is_no_map_is_no_declaration() throws IOException {
        Path file = Files.writeString(directory.resolve("list.yaml"), "- workflows\n");
        assertThat(findings(file)).containsExactly(file + ":1: The file must be a map, not a list.");
    }

    @Test
    void a_file_that_cannot_be_read_is_told() throws IOException {
        Path missing = directory.resolve("missing.yaml");
        Path latin = Files.write(directory.resolve("latin.yaml"), "ä".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(findings(missing, directory, latin))
                .containsExactly(
                        missing + ": There is no such file.",
                        directory + ": This is a directory.",
                        latin + ": This file is not UTF-8.");
    }

    @Test
    void a_huge_file_is_not_read_to_its_end() throws IOException {
        Path file = Files.writeString(directory.resolve("huge.yaml"), "#".repeat(1024 * 1024 + 1));
        assertThat(findings(file)).containsExactly(file + ": This file is larger than 1 MiB, which no declaration is.");
    }

    @Test
    void a_deep_file_does_not_exhaust_the_stack() throws IOException {
        Path file = Files.writeString(directory.resolve("deep.yaml"), "workflows: " + "[".repeat(100_000));
        assertThat(findings(file)).containsExactly(file + ":1: This is nested deeper than any declaration.");
    }

    /** A billion laughs: nine words that stand for ten times the line before, nine times over. */
    @Test
    void an_alias_bomb_does_not_go_off() throws IOException {
        StringBuilder bomb = new StringBuilder("a0: &a0 [lol]\n");
        for (int line = 1; line < 10; line++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(line, line, ("*a" + (line - 1) + ", ").repeat(10)));
        }
        Path file = Files.writeString(directory.resolve("bomb.yaml"), bomb + "workflows: {w: {command: *a9}}\n");
        assertThat(findings(file))
                .contains(file + ":1: Unknown key 'a0' in the file; the nearest is 'workflows'.")
                .contains(file + ":9: 'command' of workflow 'w' takes a word, not a list.");
        Path many = Files.writeString(directory.resolve("many.yaml"), "a: &a 1\nb: [" + "*a, ".repeat(101) + "]\n");
        assertThat(findings(many)).containsExactly(many + ":2: A file has at most 100 aliases.");
    }

    private static List<String> findings(Path... files) {
        Reading reading = Declarations.read(List.of(files));
        assertThat(reading).isInstanceOf(Reading.Malformed.class);
        return ((Reading.Malformed) reading).findings();
    }
}

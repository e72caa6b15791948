package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import dev.interlock.cli.output.JsonLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
    private final Workbench bench = new Workbench();
    private final MemoryTrail trail = MemoryTrail.of(5);

    @TempDir
    Path directory;

    @BeforeEach
    void keepTrail() {
        bench.keep(trail);
    }

    @Test
    void tail_shows_the_newest_last() {
        trail.events.add(MemoryTrail.tenure(6, "enough\u001b[2J"));
        assertThat(bench.alice("audit", "tail", "--limit", "2")).isEqualTo(new Said(0, """
                2026-11-16T12:00:05Z  held-too-long  prod/db  token 5  exec-5  alice
                2026-11-16T12:00:06Z  held-too-long  prod/db  token 6  exec-6  alice  by bob  enough\\u{1b}[2J
                """, ""));
    }

    @Test
    void tail_for_programs_is_one_object_per_line() {
        List<String> lines =
                bench.alice("audit", "tail", "-o", "json").out().lines().toList();
        assertThat(lines)
                .hasSize(5)
                .allSatisfy(line ->
                        assertThat(AuditLines.event(JsonLine.read(line))).isIn(trail.events));
        assertThat(bench.alice("audit", "tail", "-o", "yaml").code()).isEqualTo(64);
    }

    @Test
    void tail_finds_events_by_their_kind() {
        assertThat(bench.alice("audit", "tail", "--event", "held-too-long")
                        .out()
                        .lines())
                .hasSize(5);
        assertThat(bench.alice("audit", "tail", "--event", "forced"))
                .isEqualTo(new Said(0, "", "interlock: Nothing of that kind is in the trail.\n"));
    }

    @Test
    void a_trail_is_sealed_and_whole() {
        assertThat(bench.alice("audit", "verify"))
                .isEqualTo(new Said(0, "The trail is whole: 0 seals over 0 events, 5 not sealed yet.\n", ""));
        Said sealed = bench.alice("audit", "seal");
        assertThat(sealed.err()).startsWith("interlock: Sealed 5 events. The hash of seal 3 is ");
        String hash = sealed.err().strip().replaceAll(".* |\\.", "");
        assertThat(bench.alice("audit", "seal").err()).isEqualTo("interlock: There is nothing to seal.\n");
        trail.events.add(MemoryTrail.tenure(6, null));

        assertThat(bench.alice("audit", "verify", "--hash", hash))
                .isEqualTo(new Said(
                        0,
                        "The trail is whole: 3 seals over 5 events, 1 not sealed yet. The last seal was made at"
                                + " 2026-11-16T12:00:00Z; its hash is " + hash + ".\n",
                        ""));
        assertThat(bench.alice("audit", "verify", "--hash", "0".repeat(64)).code())
                .isEqualTo(1);
        assertThat(bench.alice("audit", "verify", "--hash", "0").code()).isEqualTo(64);
    }

    @Test
    void what_was_tampered_with_is_one_line_each() {
        bench.alice("audit", "seal");
        trail.events.set(2, MemoryTrail.tenure(3, "something else"));
        trail.events.remove(0);

        assertThat(bench.alice("audit", "verify")).isEqualTo(new Said(1, """
                Event 701:1 is missing; it was there when seal 1 was made.
                Event 703:3 (HELD_TOO_LONG of 'prod/db', token 3) was changed after seal 2 was made.
                """, ""));
        assertThat(bench.alice("audit", "verify", "-o", "json").out())
                .contains("\"whole\": false", "\"Event 701:1 is missing;");
    }

    @Test
    void an_export_is_verified_without_the_store() throws IOException {
        bench.alice("audit", "seal");
        trail.events.add(MemoryTrail.tenure(6, null));
        Said export = bench.alice("audit", "export");
        assertThat(export.out().lines()).hasSize(11);
        Path file = Files.writeString(directory.resolve("trail.jsonl"), export.out());
        bench.keep(null);

        Said whole = bench.alice("audit", "verify", "--file", file.toString());
        assertThat(whole.code()).as(whole.err()).isZero();
        assertThat(whole.out()).startsWith("The trail is whole: 3 seals over 5 events, 1 not sealed yet.");
    }

    @Test
    void an_export_that_was_changed_is_found_out() throws IOException {
        bench.alice("audit", "seal");
        String export = bench.alice("audit", "export").out();

        assertThat(verified(export.replace("exec-3", "exec-x"))).isEqualTo(new Said(1, """
                Event 703:3 (HELD_TOO_LONG of 'prod/db', token 3) was changed after seal 2 was made.
                """, ""));
        assertThat(verified(export.substring(0, export.length() - 60)).code()).isEqualTo(64);
        assertThat(verified(export.lines()
                                .filter(line -> !line.contains("\"at\":\"703:3\""))
                                .reduce("", (a, b) -> a + b + "\n"))
                        .err())
                .contains("is not all of an export");
        assertThat(verified("{\"kind\":\"other\"}\n").err()).contains("is no export of an audit trail");
        assertThat(verified("x\n").err())
                .contains("Line 1 of ", " cannot be read: it is not understood at character 1.");
    }

    private Said verified(String export) throws IOException {
        Path file = Files.writeString(directory.resolve("changed.jsonl"), export);
        return bench.alice("audit", "verify", "--file", file.toString());
    }

    @Test
    void part_of_a_trail_can_be_exported_and_verified() throws IOException {
        bench.alice("audit", "seal");
        assertThat(bench.alice("audit", "export", "--from", "2026-11-16T12:00:00.000001Z")
                        .out()
                        .lines())
                .hasSize(2);
        assertThat(bench.alice("audit", "export", "--to", "2026-11-16T12:00:00.000001Z")
                        .out()
                        .lines())
                .hasSize(10);
        assertThat(bench.alice("audit", "export", "--to", "tomorrow").code()).isEqualTo(64);
        assertThat(verified(bench.alice("audit", "export", "--from", "2026-11-16T12:00:00Z")
                                .out())
                        .code())
                .isZero();
    }

    @Test
    void a_store_without_a_trail_says_so() {
        bench.keep(null);
        assertThat(bench.alice("audit", "verify").err()).startsWith("interlock: There is no trail.");
    }
}

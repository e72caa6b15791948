package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Workbench.Said;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreTest {
    private final Workbench bench = new Workbench();

    @Test
    void status_shows_where_the_store_is() {
        assertThat(bench.alice("store", "status")).isEqualTo(new Said(0, """
                Store          on this machine
                Status         running
                PostgreSQL     18.6
                Running since  2026-11-16T11:58:30Z (1m30s)
                Process        4242
                Port           5599
                Home           /home
                Data           /home/data
                Size           40 MiB
                Log            /home/log
                """, ""));
        assertThat(bench.alice("store", "status", "-o", "yaml").out()).isEqualTo("""
                status: running
                address: "on this machine"
                version: "18.6"
                home: "/home"
                pid: 4242
                port: 5599
                since: "2026-11-16T11:58:30Z"
                data: "/home/data"
                bytes: 41000000
                log: "/home/log"
                """);
    }

    @Test
    void stop_upgrade_and_recover_say_what_came_of_it() {
        assertThat(bench.alice("store", "stop")).isEqualTo(new Said(0, "", "interlock: Stopped.\n"));
        assertThat(bench.alice("store", "upgrade", "-q")).isEqualTo(new Said(0, "", ""));
        assertThat(bench.alice("store", "recover")).isEqualTo(new Said(0, "", "interlock: Recovered.\n"));
    }

    @Test
    void prune_removes_what_nobody_uses() {
        bench.alice("locks", "acquire", "x", "-q");
        bench.alice("locks", "release", "x", "--token", "1", "-q");
        bench.pass(Duration.ofDays(91));
        assertThat(bench.alice("store", "prune"))
                .isEqualTo(new Said(0, "", "interlock: Removed 1 record unused for 90d.\n"));
        assertThat(bench.alice("locks", "acquire", "x", "-q").out()).isEqualTo("2\n");
    }

    @Test
    void the_doctor_looks_at_a_queue_that_is_named() {
        assertThat(bench.alice("doctor", "--queue", "sqs://jobs.fifo").out()).endsWith("""
                ok    queue: sqs://jobs.fifo is there
                """);
        assertThat(bench.alice("doctor", "--queue", "jobs"))
                .isEqualTo(
                        new Said(
                                64,
                                "",
                                "interlock: The address of a queue is sqs://NAME.fifo[?region=REGION], not 'jobs'. See: interlock doctor --help\n"));
    }

    @Test
    void a_queue_is_created_by_its_address() {
        assertThat(bench.alice("sqs", "create-queue", "--queue", "sqs://jobs.fifo"))
                .isEqualTo(new Said(0, "", "interlock: Created sqs://jobs.fifo.\n"));
    }

    @Test
    void the_doctor_tells_one_line_per_check_with_advice() {
        Said said = bench.alice("doctor");
        assertThat(said.code()).isEqualTo(0);
        assertThat(said.out())
                .startsWith("ok    java: ")
                .contains("\nok    supervision: Every process of the command bears a tag")
                .contains("""
                        ok    store: memory answers
                        ok    server: in memory
                        warn  durability: nothing is kept
                              Use a real store.
                        """);
    }

    @Test
    void the_doctor_fails_when_the_store_does() {
        bench.breakStore(new dev.interlock.core.StoreUnavailable(
                dev.interlock.core.StoreUnavailable.Kind.UNREACHABLE, "Nobody answers."));
        Said said = bench.alice("doctor", "-o", "json");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).contains("\"level\": \"fail\"", "\"text\": \"Nobody answers.\"");
        assertThat(said.err()).isEmpty();
    }
}

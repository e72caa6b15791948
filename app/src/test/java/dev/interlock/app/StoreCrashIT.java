package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The PostgreSQL of the embedded store is killed under a running command. */
class StoreCrashIT {
    private static final String RENEWED = "SELECT extract(epoch FROM renewed_at) * 1000000 FROM interlock.record"
            + " WHERE name = 'crash' AND status = 'ACTIVE'";
    private static final String EXPIRED =
            "SELECT extract(epoch FROM expires_at) * 1000000 FROM interlock.record" + " WHERE name = 'outage'";

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

    private static void crash() {
        long pid = server.pid();
        Running.signal("KILL", pid);
        Running.awaitEnd(List.of(pid));
    }

    @Test
    void a_command_goes_on_when_the_store_is_back_within_its_lease() throws IOException {
        Path over = homes.path("over");
        Running run = interlock.start(
                "run",
                "--ttl",
                "60s",
                "--lock",
                "crash",
                "--",
                "sh",
                "-c",
                "echo $INTERLOCK_TOKEN; until [ -e '" + over + "' ]; do sleep 0.1; done");
        long token = Long.parseLong(run.firstLine());
        long renewed = server.number(RENEWED);

        crash();
        assertThat(interlock.run("locks", "status", "crash").status()).isZero(); // starts it again, as any call does

        assertThat(server.holder("crash")).isEqualTo(token);
        Running.await("a renewal after the crash", () -> server.number(RENEWED) > renewed);
        Files.createFile(over);
        assertThat(run.result()).isEqualTo(new Running.Result(0, token + "\n", ""));
        assertThat(server.holder("crash")).isZero();
    }

    /** The command itself notes how long it lives, so that a slow observer takes nothing for late. */
    @Test
    void a_command_is_stopped_before_its_lease_ends_when_the_store_stays_away() throws IOException {
        Path alive = homes.path("alive");
        Running run = interlock.start(
                "run",
                "--ttl",
                "8s",
                "--lock",
                "outage",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo in; while :; do date +%s%6N >>'" + alive + "'; sleep 0.05; done");
        run.firstLine();

        crash();
        Running.Result result = run.result();

        assertThat(result.status()).isEqualTo(79);
        assertThat(result.err()).contains("interlock: Lost lock 'outage': ");
        List<String> notes = Files.readAllLines(alive);
        assertThat(Long.parseLong(notes.getLast())).isLessThan(server.number(EXPIRED));
    }
}

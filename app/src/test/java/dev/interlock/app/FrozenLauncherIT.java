package dev.interlock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A launcher that is killed or frozen can neither renew its lease nor stop its command: somebody else must. */
class FrozenLauncherIT {
    /** Deaf to SIGTERM, and with a child that has run away into a session of its own. */
    private static final String STUBBORN = "trap '' TERM; setsid sleep 600 & sleep 600";

    private static Homes homes;
    private static Server server;

    private final List<Running> started = new ArrayList<>();

    @BeforeAll
    static void startStore() throws IOException {
        homes = new Homes();
        server = Server.started(homes.path("home"));
    }

    @AfterAll
    static void leaveNothingBehind() throws IOException {
        homes.close();
    }

    @AfterEach
    void endWhatWasStarted() {
        started.forEach(run -> run.process().destroyForcibly());
    }

    private Running start(String lock, String who, List<String> command) {
        List<String> words = new ArrayList<>(List.of("run", "--ttl", "8s", "--wait", "5m", "--execution", who));
        words.addAll(List.of("--lock", lock, "--"));
        words.addAll(command);
        Running run = Cli.in(homes.path("home")).start(words.toArray(new String[0]));
        started.add(run);
        return run;
    }

    @Test
    void a_frozen_launcher_loses_lock_and_command_and_once_thawed_says_so_and_touches_nothing() throws IOException {
        Section section = Section.in(homes.path("freezer"));
        Running frozen = start("cold", "frozen", section.visit(STUBBORN));
        long old = section.awaitEntry("frozen");

        frozen.signal("STOP");
        Running next = start("cold", "next", section.visit("sleep 600"));
        long token = section.awaitEntry("next");

        assertThat(section.read().violations(Set.of("frozen", "next"))).isEmpty();
        assertThat(token).isGreaterThan(old);

        frozen.signal("CONT");
        Running.Result thawed = frozen.result();
        assertThat(thawed.status()).isEqualTo(79);
        assertThat(thawed.err()).contains("interlock: Lost lock 'cold': ");
        assertThat(server.holder("cold")).isEqualTo(token);
        assertThat(next.process().isAlive()).isTrue();

        next.signal("TERM");
        assertThat(next.result().status()).isEqualTo(128 + 15);
        assertThat(server.holder("cold")).isZero();
    }

    @Test
    void a_killed_launcher_takes_its_whole_command_along_before_the_next_one_gets_in() throws IOException {
        Section section = Section.in(homes.path("morgue"));
        Running killed = start("dead", "killed", section.visit(STUBBORN));
        long old = section.awaitEntry("killed");

        killed.signal("KILL");
        assertThat(killed.result().status()).isEqualTo(128 + 9);
        Running next = start("dead", "next", section.visit("true"));

        assertThat(next.result().status()).isZero();
        assertThat(section.read().violations(Set.of("killed"))).isEmpty();
        assertThat(section.awaitEntry("next")).isGreaterThan(old);
    }
}

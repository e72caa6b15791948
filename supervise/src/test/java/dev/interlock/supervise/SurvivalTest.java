package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SurvivalTest extends SurvivalRules {
    @Override
    List<String> user() {
        return List.of();
    }

    @Test
    void nothing_survives_launchers_killed_at_any_moment() {
        String forking = "while :; do sleep 600." + tree.number + " & sleep 0.005; done";
        List<String> launcher = LauncherJvm.words(Launcher.class, LauncherJvm.EXACT);

        for (int i = 0; i < 12; i++) {
            LauncherJvm started = LauncherJvm.start(launcher, List.of("--", "sh", "-c", forking));
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(50_000_000, 600_000_000));
            started.signal("KILL");
        }

        tree.assertDead();
    }

    /** The successor must not act on the deadline its predecessor had. */
    @Test
    void a_command_outlives_the_deadline_of_a_killed_guard() {
        LauncherJvm launcher = LauncherJvm.start(
                LauncherJvm.words(Launcher.class, LauncherJvm.EXACT, "-Dlease=3000"),
                List.of("--", "sh", "-c", "echo up; sleep 4; echo over"));
        launcher.awaitOut("up");

        Processes.signal("KILL", List.of(launcher.guard()));

        assertThat(launcher.result()).isEqualTo(new LauncherJvm.Result(0, "up\nover\n", ""));
    }

    @Test
    void a_stopped_guard_is_woken() {
        LauncherJvm launcher = LauncherJvm.start(
                LauncherJvm.words(Launcher.class, LauncherJvm.EXACT), List.of("--", "sh", "-c", "echo up; sleep 1"));
        launcher.awaitOut("up");

        Processes.signal("STOP", List.of(launcher.guard()));

        assertThat(launcher.result()).isEqualTo(new LauncherJvm.Result(0, "up\n", ""));
    }

    /** Were this to fail, the rules would hold whatever the launcher does. */
    @Test
    void a_launcher_without_a_guard_is_caught() {
        List<String> plain = LauncherJvm.words(PlainLauncher.class, LauncherJvm.PORTABLE);
        LauncherJvm launcher = LauncherJvm.start(plain, joined(List.of("--"), tree.command()));
        tree.awaitGrown();

        launcher.signal("KILL");
        launcher.result();

        assertThat(tree.living()).hasSizeGreaterThanOrEqualTo(8);
        tree.kill();
    }
}

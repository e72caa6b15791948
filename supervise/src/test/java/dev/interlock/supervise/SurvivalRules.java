package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing of a command's process tree survives its lease, whoever dies first. */
@Timeout(60)
abstract class SurvivalRules {
    private static final Duration LEASE = Duration.ofSeconds(4);

    final Tree tree = new Tree();

    /** What comes before the launcher's own words. */
    abstract List<String> user();

    @AfterEach
    void kill_what_a_failed_test_left() {
        tree.kill();
    }

    @Test
    void nothing_of_the_tree_survives_a_killed_launcher() {
        LauncherJvm launcher = start("--");

        launcher.signal("KILL");

        tree.assertDead();
    }

    @Test
    void nothing_of_the_tree_is_alive_when_the_lease_of_a_stopped_launcher_ends() {
        LauncherJvm launcher = start("--");

        launcher.signal("STOP");
        BootTime end = BootTime.now().plus(LEASE);

        tree.assertDeadBy(end);
        launcher.signal("CONT");
        assertThat(launcher.result().status()).isEqualTo(79);
    }

    @Test
    void nothing_of_the_tree_is_alive_when_a_lease_that_is_not_renewed_ends() {
        LauncherJvm launcher = start("--no-renewal", "--");

        tree.assertDead();

        LauncherJvm.Result result = launcher.result();
        assertThat(result.status()).isEqualTo(79);
        assertThat(result.err()).isEqualTo("interlock: the lease ran out; the command was stopped\n");
    }

    @Test
    void a_terminated_command_takes_the_rest_of_its_tree_along() {
        LauncherJvm launcher = start("--");

        launcher.signal("TERM");

        assertThat(launcher.result().status()).isEqualTo(128 + 15);
        assertThat(tree.living()).isEmpty();
    }

    @Test
    void nothing_of_the_tree_survives_a_guard_and_its_launcher_killed_at_once() {
        LauncherJvm launcher = start("--");

        Processes.signal("KILL", List.of(launcher.guard(), launcher.pid()));

        tree.assertDead();
    }

    @Test
    void nothing_of_the_tree_survives_a_guard_killed_under_a_stopped_launcher() {
        LauncherJvm launcher = start("--");
        long guard = launcher.guard();

        launcher.signal("STOP");
        BootTime end = BootTime.now().plus(LEASE);
        Processes.signal("KILL", List.of(guard));

        tree.assertDeadBy(end);
        launcher.signal("KILL");
    }

    @Test
    void a_killed_guard_is_replaced_and_its_successor_kills() {
        LauncherJvm launcher = start("--");
        long guard = launcher.guard();

        Processes.signal("KILL", List.of(guard));
        Processes.await("there is another guard", () -> launcher.guard() != guard);
        launcher.signal("KILL");

        tree.assertDead();
    }

    /** The outer guard kills the inner launcher, guard and timer at once, while they still grant their command its time. */
    @Test
    void a_run_inside_a_run_dies_with_the_outer_one() {
        List<String> patient = LauncherJvm.words(Launcher.class, LauncherJvm.EXACT, "-Dlease=60000", "-Dgrace=10000");
        List<String> command = joined(patient, joined(List.of("--"), tree.command()));
        LauncherJvm outer = LauncherJvm.start(joined(user(), launcher()), joined(List.of("--"), command));
        tree.awaitGrown();
        List<Long> inner = Processes.launchersBearing(tree.number);
        inner.remove(outer.pid());

        outer.signal("KILL");

        tree.assertDead();
        Processes.await(
                "no inner launcher is left",
                () -> Processes.launchersBearing(tree.number).isEmpty());
        assertThat(inner).hasSize(1);
        assertThat(Processes.guardsAndTimersOf(inner.getFirst())).isEmpty();
    }

    private static List<String> launcher() {
        return LauncherJvm.words(Launcher.class, LauncherJvm.EXACT, "-Dlease=" + LEASE.toMillis());
    }

    private LauncherJvm start(String... options) {
        LauncherJvm launcher = LauncherJvm.start(joined(user(), launcher()), joined(List.of(options), tree.command()));
        tree.awaitGrown();
        return launcher;
    }
}

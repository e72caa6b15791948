package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SurvivalTest extends SurvivalRules {
    @Override
    List<String> user() {
        return List.of();
    }

    /** Were this to fail, the rules would hold whatever the launcher does. */
    @Test
    void a_launcher_without_a_guard_is_caught() {
        Tree tree = new Tree();
        List<String> plain = LauncherJvm.words(PlainLauncher.class, LauncherJvm.PORTABLE);
        LauncherJvm launcher = LauncherJvm.start(plain, joined(List.of("--"), tree.command()));
        tree.awaitGrown();

        launcher.signal("KILL");
        launcher.result();

        assertThat(tree.living()).hasSizeGreaterThanOrEqualTo(7);
        tree.kill();
    }
}

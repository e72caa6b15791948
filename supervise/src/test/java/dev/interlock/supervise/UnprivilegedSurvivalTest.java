package dev.interlock.supervise;

import static dev.interlock.supervise.LauncherJvm.joined;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** The same as a user who may do nothing special. Who runs the tests as such a user has done so already. */
class UnprivilegedSurvivalTest extends SurvivalRules {
    @BeforeAll
    static void only_root_can_become_nobody() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("user.name").equals("root"), "not root: the other tests ran unprivileged");
        List<String> look = joined(LauncherJvm.AS_NOBODY, List.of("test", "-r", LauncherJvm.resource("tree.sh")));
        int readable = new ProcessBuilder(look).start().waitFor();
        assumeTrue(readable == 0, "NOT TESTED AS AN ORDINARY USER: nobody cannot read the classes");
    }

    @Override
    List<String> user() {
        return LauncherJvm.AS_NOBODY;
    }
}

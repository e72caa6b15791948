package dev.interlock.app;

import dev.interlock.cli.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.function.Consumer;

/** Whether somebody else could get at the store on this machine. */
final class HomeCheck {
    private HomeCheck() {}

    static void run(Path home, Consumer<Finding> findings) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(home);
            boolean open = permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_READ);
            findings.accept(
                    open
                            ? Finding.warn("home", home + " is open to others", "Run: chmod go-rw " + home)
                            : Finding.ok("home", home + " is yours alone"));
        } catch (IOException e) {
            findings.accept(Finding.fail(
                    "home", home + " cannot be looked at: " + e.getMessage(), "Check INTERLOCK_HOME and its owner."));
        }
    }
}

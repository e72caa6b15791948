package dev.interlock.embedded;

import java.nio.file.Path;
import java.util.Map;

/** Where the store lives when nobody says: by the convention of the platform. */
public final class DefaultHome {
    private DefaultHome() {}

    /**
     * Root's own home is closed to the unprivileged user its server runs as, so root's store lives in
     * {@code /var/lib/interlock}.
     */
    public static Path of(Map<String, String> environment, String osName, String userName) {
        String chosen = environment.getOrDefault("INTERLOCK_HOME", "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath();
        }
        return osName.startsWith("Mac")
                ? under(environment, "Library/Application Support/Interlock")
                : onLinux(environment, userName);
    }

    private static Path onLinux(Map<String, String> environment, String userName) {
        String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
        if (xdg.startsWith("/")) { // a relative one is invalid and must be ignored, says XDG
            return Path.of(xdg, "interlock");
        }
        return userName.equals("root") ? Path.of("/var/lib/interlock") : under(environment, ".local/share/interlock");
    }

    private static Path under(Map<String, String> environment, String path) {
        String home = environment.getOrDefault("HOME", "");
        if (home.isEmpty()) {
            throw new EmbeddedUnavailable("Neither INTERLOCK_HOME nor HOME is set, so there is no place for the store;"
                    + " set INTERLOCK_HOME to a directory of yours.");
        }
        return Path.of(home, path);
    }
}

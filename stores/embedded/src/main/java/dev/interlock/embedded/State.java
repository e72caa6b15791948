package dev.interlock.embedded;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the starter wrote down about the running server, so that everybody after it reads one small file and is done.
 *
 * <p>The process id with its start time makes a leftover harmless: after a crash or a reboot the port may belong to
 * somebody else, who must not be offered the password.
 */
record State(int port, long pid, long started, String version, String password) {

    /** What was written down, whether it still holds or not. */
    static @Nullable State read(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            Properties written = new Properties();
            written.load(reader);
            return new State(
                    Integer.parseInt(written.getProperty("port")),
                    Long.parseLong(written.getProperty("pid")),
                    Long.parseLong(written.getProperty("started")),
                    text(written, "version"),
                    text(written, "password"));
        } catch (IOException | IllegalArgumentException e) {
            return null; // absent or damaged: both mean that somebody has to look
        }
    }

    /** What was written down, if that very process is still there. */
    static @Nullable State ofRunning(Path file) {
        State state = read(file);
        return state != null && state.holds() ? state : null;
    }

    private boolean holds() {
        return started != OsProcess.GONE && started == OsProcess.startOf(pid);
    }

    Address address() {
        return new Address(port, password);
    }

    String text() {
        return """
                port=%d
                pid=%d
                started=%d
                version=%s
                password=%s
                """.formatted(port, pid, started, version, password);
    }

    private static String text(Properties written, String key) {
        String value = written.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException(key);
        }
        return value;
    }

    @Override
    public String toString() {
        return address().toString();
    }
}

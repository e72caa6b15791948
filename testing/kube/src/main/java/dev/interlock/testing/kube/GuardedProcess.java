package dev.interlock.testing.kube;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that cannot outlive this JVM, however the JVM ends: a shell beside it waits for the end of a pipe from here
 * and then kills it.
 */
final class GuardedProcess {
    private static final String GUARD = """
            exec 3<&0
            "$@" 3<&- </dev/null &
            server=$!
            (read -r never <&3; kill -9 $server) &
            guard=$!
            wait $server
            kill $guard
            """;

    private final Process shell;

    private GuardedProcess(Process shell) {
        this.shell = shell;
    }

    static GuardedProcess start(List<String> command, Path log) throws IOException {
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "guard"));
        guarded.addAll(command);
        return new GuardedProcess(new ProcessBuilder(guarded)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    boolean isAlive() {
        return shell.isAlive();
    }

    /** kill -9, and it is gone when this returns. */
    void kill() {
        try {
            shell.getOutputStream().close();
            shell.waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("a pipe cannot be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

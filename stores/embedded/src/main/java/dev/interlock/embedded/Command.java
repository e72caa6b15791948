package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Starts programs, from a directory that they may enter and with an environment that is not the user's. */
final class Command {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

    record Result(int exit, String output) {
        boolean succeeded() {
            return exit == 0;
        }
    }

    private Command() {}

    /**
     * Nothing of the user's environment reaches the server: PGDATA or PGOPTIONS would change it, LC_MESSAGES would
     * translate what we read in its log, and a secret would stay readable in it for as long as it runs.
     */
    static ProcessBuilder prepare(Path directory, List<String> command) {
        ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile());
        process.environment().clear();
        process.environment().putAll(Map.of("PATH", USUAL_PATH, "LC_ALL", "C", "TZ", "UTC"));
        return process;
    }

    /** Runs it to its end. What it says must fit into a pipe, as the few lines of our programs do. */
    static Result run(ProcessBuilder command, String input) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        try (var stdin = process.outputWriter(UTF_8)) {
            stdin.write(input);
        } catch (IOException e) {
            // It ended without reading: its exit code and its last words say more than the broken pipe.
        }
        if (!Wait.atMost(LIMIT).until(() -> !process.isAlive())) {
            process.destroyForcibly();
            return new Result(-1, "no answer in " + LIMIT.toSeconds() + " s");
        }
        return new Result(
                process.exitValue(), new String(process.getInputStream().readAllBytes(), UTF_8));
    }

    static Result run(Path directory, List<String> command) throws IOException {
        return run(prepare(directory, command), "");
    }
}

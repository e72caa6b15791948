package dev.interlock.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Sets the wall clock of one process and its children, and of nobody else. Its monotonic clock stays as it is. */
final class Faketime {
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private Faketime() {}

    /** @param offset as libfaketime has it, such as {@code +1h} */
    static Cli set(Cli interlock, String offset) {
        return interlock
                .with("LD_PRELOAD", library().toString())
                .with("FAKETIME", offset)
                .with("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .with("FAKETIME_FORCE_MONOTONIC_FIX", "0"); // else every timed wait of the JVM lasts too long
    }

    /** Where it cannot be had, a build that others rely on fails; elsewhere nobody can overlook what was not tested. */
    private static Path library() {
        Optional<Path> installed = find();
        if (installed.isEmpty() && "root".equals(System.getProperty("user.name"))) {
            install();
            installed = find();
        }
        return installed.orElseGet(() -> {
            String sentence = "libfaketime is not there to set clocks with: apt-get install libfaketime";
            if (!System.getenv().getOrDefault("CI", "").isEmpty()) {
                return Assertions.fail(sentence);
            }
            System.err.println("*".repeat(100) + "\nNOT TESTED: " + sentence + "\n" + "*".repeat(100));
            return Assumptions.abort(sentence);
        });
    }

    private static Optional<Path> find() {
        try (Stream<Path> directories = Files.list(Path.of("/usr/lib"))) {
            return directories
                    .map(directory -> directory.resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void install() {
        try {
            new ProcessBuilder(
                            "sh", "-c", "apt-get update && exec apt-get install -y --no-install-recommends libfaketime")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // Then it is not there, and whoever asked for it says so.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.interlock.testing.promtool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Prometheus's own checker. */
public final class Promtool {
    private static final Path INSTALLED = Path.of("/usr/bin/promtool");

    /** Unpacked once for all test runs, and only unpacked: an installed package would start a server. */
    private static final Path UNPACKED = Path.of(System.getProperty("java.io.tmpdir"), "interlock-promtool");

    private static @Nullable Path binary;

    private Promtool() {}

    /** What it said, on both of its outputs. */
    public record Result(int status, String output) {}

    /** Runs it in a directory. */
    public static Result run(Path directory, String... words) throws IOException {
        return run(directory, new byte[0], words);
    }

    /** The same, with something on its standard input. */
    public static Result run(Path directory, byte[] input, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(binary().toString()));
        command.addAll(List.of(words));
        return start(directory, input, command);
    }

    /** Where it cannot be had, a build that others rely on fails; elsewhere the tests are skipped, and say why. */
    private static synchronized Path binary() throws IOException {
        Path found = binary == null ? Files.isExecutable(INSTALLED) ? INSTALLED : unpacked() : binary;
        binary = found;
        if (!Files.isExecutable(found)) {
            String trouble = "promtool is not there and could not be downloaded: apt-get install prometheus";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(trouble);
            }
            Assumptions.abort(trouble);
        }
        return found;
    }

    private static Path unpacked() throws IOException {
        Path unpacked = UNPACKED.resolve("usr/bin/promtool");
        if (Files.isExecutable(unpacked)) {
            return unpacked;
        }
        Path download = Files.createTempDirectory("interlock-promtool-");
        if (!downloaded(download) && "root".equals(System.getProperty("user.name"))) {
            apt(download, "apt-get", "update");
            downloaded(download);
        }
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(download, "*.deb")) {
            for (Path archive : archives) {
                Path beside = Files.createTempDirectory("interlock-promtool-");
                apt(download, "dpkg-deb", "-x", archive.toString(), beside.toString());
                apt(download, "mv", "-T", beside.toString(), UNPACKED.toString());
            }
        }
        apt(download, "rm", "-rf", download.toString());
        return unpacked;
    }

    private static boolean downloaded(Path directory) throws IOException {
        return apt(directory, "apt-get", "download", "prometheus");
    }

    private static boolean apt(Path directory, String... command) throws IOException {
        return start(directory, new byte[0], List.of(command)).status() == 0;
    }

    private static Result start(Path directory, byte[] input, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try (var words = process.getOutputStream()) {
            words.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return new Result(process.waitFor(), output);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

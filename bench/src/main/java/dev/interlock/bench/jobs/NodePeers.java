package dev.interlock.bench.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The peers for Node, installed at first use in exactly the versions of their lock file, Node itself included. */
final class NodePeers {
    private static final String LOCK = "package-lock.json";

    private NodePeers() {}

    /** Decided once for the run: where npm is absent, or cannot install, there are none. */
    private static final class Installed {
        static final boolean DONE = install();
    }

    static boolean installed() {
        return Installed.DONE;
    }

    static Path directory() {
        return bench().resolve("target/node").toAbsolutePath();
    }

    private static Path bench() {
        return Path.of(System.getProperty("interlock.root", ".")).resolve("bench");
    }

    private static boolean install() {
        try {
            Files.createDirectories(directory());
            var current = Files.exists(kept()) && Files.mismatch(kept(), source().resolve(LOCK)) == -1;
            copySources();
            return current || npm();
        } catch (IOException e) {
            System.err.println("NOT MEASURED: the peers for Node, which npm installs: " + e.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void copySources() throws IOException {
        try (Stream<Path> files = Files.list(source())) {
            for (var file : files.toList()) {
                Files.copy(file, directory().resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean npm() throws IOException, InterruptedException {
        System.err.println("installing graphile-worker, pg-boss and Node into " + directory() + ", once");
        var npm = new ProcessBuilder(List.of("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"))
                .directory(directory().toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (npm.waitFor() != 0) {
            throw new IOException("npm ci failed");
        }
        Files.copy(source().resolve(LOCK), kept(), StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    private static Path source() {
        return bench().resolve("src/main/node");
    }

    /** The lock file that was last installed as a whole. */
    private static Path kept() {
        return directory().resolve("installed.json");
    }
}

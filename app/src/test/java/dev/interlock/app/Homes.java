package dev.interlock.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Places for stores and distributions, of which nothing is left afterwards, nor of the servers in them. */
final class Homes implements AutoCloseable {
    private final Path root;

    Homes() throws IOException {
        root = Files.createTempDirectory("interlock-it");
        // As root the server is another user, who has to pass through.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path path(String name) {
        return root.resolve(name);
    }

    /** The distribution as somebody unpacked it elsewhere. */
    Path distribution(String name) throws IOException {
        Path copy = path(name);
        Files.createDirectories(copy.getParent());
        run("cp", "-pR", Cli.distribution().toString(), copy.toString());
        return copy;
    }

    static void run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (process.waitFor() != 0) {
                throw new IOException(List.of(command) + " failed");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(root)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            if (path.endsWith("store.state")) {
                Cli.in(path.getParent()).run("store", "stop");
            }
        }
        run("rm", "-rf", root.toString());
    }
}

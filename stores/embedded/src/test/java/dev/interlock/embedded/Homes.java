package dev.interlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Homes for one test each, in a directory that every user may pass through. The binaries are unpacked once for all, and
 * tests that are not about the making of a store get a copy of one that was made once.
 */
final class Homes implements AfterEachCallback {
    private static final Path BASE = base();
    private static final Path TEMPLATE = template();

    private final List<Path> given = new ArrayList<>();

    /** Nothing is there yet, not even the directory. */
    Path none() throws IOException {
        Path home = Files.createTempDirectory(BASE, "home").resolve("interlock");
        Disk.chmod(Disk.parentOf(home), "rwxr-xr-x");
        given.add(home);
        return home;
    }

    /** Binaries, but no data. */
    Path bare() throws IOException {
        Path home = none();
        Home.open(home);
        Files.createSymbolicLink(home.resolve("postgres"), TEMPLATE.resolve("postgres"));
        return home;
    }

    /** Binaries and a store that is not running. */
    Path stocked() throws IOException {
        Path home = bare();
        run(
                "cp",
                "-a",
                TEMPLATE.resolve("data").toString(),
                TEMPLATE.resolve("password").toString(),
                home.toString());
        return home;
    }

    static EmbeddedPostgres store(Path home) {
        return new EmbeddedPostgres(home, line -> {});
    }

    static Path data(Path home) throws IOException {
        return new Home(home.toRealPath()).data(Binaries.shipped(new Home(home)).major());
    }

    static Status.Running running(Path home) {
        return (Status.Running) store(home).status();
    }

    /** A copy of the compiled classes that users other than this one can read. */
    static Path classes() throws IOException {
        Path copy = BASE.resolve("classes");
        if (!Files.exists(copy)) {
            Files.createDirectory(copy);
            run("cp", "-a", "target/classes/.", "target/test-classes/.", copy.toString());
            run("chmod", "-R", "a+rX", copy.toString());
        }
        return copy;
    }

    static void run(String... command) throws IOException {
        Command.Result result = Command.run(Path.of("").toAbsolutePath(), List.of(command));
        if (!result.succeeded()) {
            throw new IOException(String.join(" ", command) + ": " + result.output());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        for (Path home : given) {
            store(home).stop();
            Disk.delete(Disk.parentOf(home));
        }
    }

    private static Path base() {
        try {
            Path memory = Path.of("/dev/shm");
            Path base = Files.createTempDirectory(
                    isRoomy(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir")), "interlock-embedded-");
            Disk.chmod(base, "rwxr-xr-x");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base)));
            return base;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processes are killed here, not machines: nothing depends on a disk, and a disk takes minutes. */
    private static boolean isRoomy(Path memory) throws IOException {
        if (!Files.isWritable(memory) || Files.getFileStore(memory).getUsableSpace() < 2L << 30) {
            return false;
        }
        Path program = Files.createTempFile(memory, "interlock-", null);
        Disk.chmod(program, "rwx------");
        boolean runsPrograms = Files.isExecutable(program); // not where it is mounted noexec
        Files.delete(program);
        return runsPrograms;
    }

    private static void delete(Path base) {
        try {
            Disk.delete(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path template() {
        Path home = BASE.resolve("template");
        store(home).address();
        store(home).stop();
        return home;
    }
}

package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One version of PostgreSQL, unpacked or to be unpacked in the home. */
record Binaries(Path directory) {

    /** The ones on the class path. */
    static Binaries shipped(Home home) {
        return new Binaries(home.binaries().resolve(shippedVersion()));
    }

    static String shippedVersion() {
        try (InputStream in = Binaries.class.getResourceAsStream("postgres.version")) {
            return new String(in.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new EmbeddedUnavailable("Interlock is damaged: it does not know its version of PostgreSQL.", e);
        }
    }

    /** The newest ones of that major version that an earlier Interlock unpacked here. */
    static Optional<Binaries> ofMajor(Home home, int major) throws IOException {
        return Home.entries(home.binaries(), major + ".*").stream()
                .map(Binaries::new)
                .max(Comparator.comparing(binaries -> Version.parse(binaries.version())));
    }

    String version() {
        return directory.getFileName().toString();
    }

    /** PostgreSQL's own way to say it: the third number counts packagings. */
    String shortVersion() {
        return version().substring(0, version().lastIndexOf('.'));
    }

    int major() {
        return Integer.parseInt(version().substring(0, version().indexOf('.')));
    }

    boolean isNewerThan(String version) {
        return Version.parse(version()).compareTo(Version.parse(version)) > 0;
    }

    List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(directory.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    boolean areUnpacked() {
        return Files.isDirectory(directory);
    }

    void unpack() throws IOException {
        try (InputStream archive = archiveOnClassPath()) {
            unpack(archive);
        }
    }

    void unpack(InputStream archive) throws IOException {
        Disk.directory(Disk.parentOf(directory), "rwxr-xr-x");
        Path partial = Files.createTempDirectory(Disk.parentOf(directory), Disk.PARTIAL);
        try {
            Archive.unpack(archive, partial);
            Disk.chmod(partial, "rwxr-xr-x");
            Disk.publish(partial, directory);
        } finally {
            Disk.delete(partial); // it has its own name by now, or never will
        }
    }

    private static InputStream archiveOnClassPath() {
        InputStream archive = Binaries.class.getResourceAsStream(archiveName());
        if (archive == null) {
            throw noneForThisPlatform();
        }
        return archive;
    }

    static EmbeddedUnavailable noneForThisPlatform() {
        return new EmbeddedUnavailable(
                ("This Interlock carries no PostgreSQL for %s on %s; give it a server of your own with"
                                + " --store postgres://…")
                        .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    private static String archiveName() {
        String os = System.getProperty("os.name");
        String arch = System.getProperty("os.arch");
        String system = os.startsWith("Mac") ? "darwin" : os.toLowerCase(Locale.ROOT);
        String processor = switch (arch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> arch;
        };
        return "/postgres-%s-%s.txz".formatted(system, processor);
    }
}

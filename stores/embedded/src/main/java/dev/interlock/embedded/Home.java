package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The directory of the store:
 *
 * <pre>
 * postgres/18.6.0/   binaries, one directory per version
 * data/18/           the data directory, named after the major version; the highest one is the store
 * data/18.conf       our settings, written anew at every start
 * data/18.lock       locked by the server and all its children for as long as one of them lives
 * postgresql.conf    the owner's settings, which win over ours
 * password           mode 0600, made once
 * store.state        mode 0600, where the running server answers
 * start.lock         held by whoever starts, stops or upgrades
 * start.log          what the server said at its last start, until its own log took over
 * log/               a week of the server's log
 * partial-*          half made; here, in postgres/ and in data/
 * </pre>
 */
record Home(Path path) {
    static final String STATE = "store.state";

    /** Creates it if need be. The path is made real: the command line of the server is compared with it. */
    static Home open(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            throw Binaries.noneForThisPlatform();
        }
        Disk.directory(path, mode());
        return new Home(path.toRealPath());
    }

    /** As root the server is somebody else, who has to pass through on the way to its data. */
    private static String mode() {
        return Account.isRoot() ? "rwx--x--x" : "rwx------";
    }

    Path newPartialData() throws IOException {
        Disk.directory(dataRoot(), mode());
        return Files.createTempDirectory(dataRoot(), Disk.PARTIAL);
    }

    Path binaries() {
        return path.resolve("postgres");
    }

    Path data(int major) {
        return dataRoot().resolve(Integer.toString(major));
    }

    Path settings(int major) {
        return dataRoot().resolve(major + ".conf");
    }

    Path serverLock(int major) {
        return dataRoot().resolve(major + ".lock");
    }

    Path ownersSettings() {
        return path.resolve("postgresql.conf");
    }

    Path password() {
        return path.resolve("password");
    }

    Path state() {
        return path.resolve(STATE);
    }

    Path startLock() {
        return path.resolve("start.lock");
    }

    ServerLog log() {
        return new ServerLog(path.resolve("start.log"), path.resolve("log"));
    }

    /** The major version of the store that is here; an older one beside it is the backup that an upgrade left. */
    OptionalInt major() throws IOException {
        int highest = 0;
        for (Path entry : entries(dataRoot(), "*")) {
            highest = Math.max(highest, majorOf(entry));
        }
        return highest > 0 ? OptionalInt.of(highest) : OptionalInt.empty();
    }

    List<Path> partials() throws IOException {
        List<Path> partials = new ArrayList<>(entries(path, Disk.PARTIAL + "*"));
        partials.addAll(entries(binaries(), Disk.PARTIAL + "*"));
        partials.addAll(entries(dataRoot(), Disk.PARTIAL + "*"));
        return partials;
    }

    static List<Path> entries(Path directory, String glob) throws IOException {
        List<Path> entries = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
                stream.forEach(entries::add);
            }
        }
        return entries;
    }

    private Path dataRoot() {
        return path.resolve("data");
    }

    private static int majorOf(Path entry) {
        try {
            return Files.isDirectory(entry)
                    ? Integer.parseInt(entry.getFileName().toString())
                    : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

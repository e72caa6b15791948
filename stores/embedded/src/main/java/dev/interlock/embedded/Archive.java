package dev.interlock.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** A {@code .txz} of PostgreSQL binaries. */
final class Archive {
    private static final int EXECUTABLE = 0100;

    private Archive() {}

    static void unpack(InputStream txz, Path directory) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(txz)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, directory.resolve(entry.getName()).normalize(), directory);
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path path, Path directory)
            throws IOException {
        if (!path.startsWith(directory)) {
            throw new IOException("the archive of PostgreSQL leads out of its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Disk.directory(path, "rwxr-xr-x");
            return;
        }
        Disk.directory(Disk.parentOf(path), "rwxr-xr-x");
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            write(content, path);
            Disk.chmod(path, (entry.getMode() & EXECUTABLE) != 0 ? "rwxr-xr-x" : "rw-r--r--");
        }
    }

    /** Forced to disk: the rename that follows must not outlive the contents of what it names. */
    private static void write(InputStream content, Path path) throws IOException {
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
            content.transferTo(out);
        }
        Disk.force(path, StandardOpenOption.WRITE);
    }
}

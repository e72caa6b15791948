package dev.interlock.embedded;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Files that are whole or absent, also after a power failure; modes and owners; whole trees. */
final class Disk {
    /** What is half made has a name that starts like this, and gets its own by one rename. */
    static final String PARTIAL = "partial-";

    private Disk() {}

    static void replace(Path file, String text, String mode) throws IOException {
        Path partial = Files.createTempFile(parentOf(file), PARTIAL, null);
        try {
            Files.writeString(partial, text);
            chmod(partial, mode);
            giveToOwnerOfParent(partial);
            force(partial, StandardOpenOption.WRITE);
            publish(partial, file);
        } finally {
            Files.deleteIfExists(partial); // it has its own name by now, or never will
        }
    }

    static void publish(Path partial, Path name) throws IOException {
        Files.move(partial, name, ATOMIC_MOVE);
        force(parentOf(name), StandardOpenOption.READ);
    }

    static void directory(Path path, String mode) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path);
            chmod(path, mode);
            giveToOwnerOfParent(path);
        }
    }

    /** Empty, if it is not there yet. */
    static void file(Path path, String mode) throws IOException {
        if (!Files.exists(path)) {
            replace(path, "", mode);
        }
    }

    static void force(Path path, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /** Whatever the umask says. */
    static void chmod(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    /** Root at work in a user's home must leave nothing behind that the user cannot change. */
    static void giveToOwnerOfParent(Path path) throws IOException {
        if (Account.isRoot()) {
            chown(path, uid(parentOf(path)), gid(parentOf(path)));
        }
    }

    static void chown(Path tree, int uid, int gid) throws IOException {
        Files.walkFileTree(tree, each((path, attributes) -> {
            Files.setAttribute(path, "unix:uid", uid, NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", gid, NOFOLLOW_LINKS);
        }));
    }

    static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    static int gid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:gid");
    }

    static void delete(Path tree) throws IOException {
        if (Files.exists(tree, NOFOLLOW_LINKS)) {
            Files.walkFileTree(tree, each((path, attributes) -> Files.deleteIfExists(path)));
        }
    }

    static long size(Path tree) throws IOException {
        long[] bytes = {0};
        Files.walkFileTree(tree, each((path, attributes) -> bytes[0] += attributes.size()));
        return bytes[0];
    }

    static Path parentOf(Path path) {
        return requireNonNull(path.getParent(), "no place for the store is the root of a file system");
    }

    private interface Visit {
        void accept(Path path, BasicFileAttributes attributes) throws IOException;
    }

    /** Children before their directory; what vanishes is passed over, for the files of a live server come and go. */
    private static SimpleFileVisitor<Path> each(Visit visit) {
        return new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                visit.accept(file, attributes);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                try {
                    visit.accept(directory, Files.readAttributes(directory, BasicFileAttributes.class));
                    return FileVisitResult.CONTINUE;
                } catch (NoSuchFileException e) {
                    return FileVisitResult.CONTINUE;
                }
            }
        };
    }
}

package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sentences for what can go wrong with a machine: what happened, where, and what to do about it. */
final class Trouble {
    private static final long NEXT_TO_NOTHING = 1L << 20;
    private static final int LAST_LINES = 5;

    private static final List<String> REFUSALS =
            List.of("Permission denied", "Read-only file system", "Operation not permitted", "Not a directory");

    private Trouble() {}

    /** A file of the home could not be read or written. */
    static EmbeddedUnavailable with(Path home, IOException failure) {
        String said = String.valueOf(failure.getMessage());
        if (isDiskFull(home, said)) {
            return diskFull(home, failure);
        }
        if (said.startsWith("Cannot run program") && said.contains("initdb")) {
            return doesNotRun(home, said);
        }
        return new EmbeddedUnavailable(
                "Cannot use %s for the store (%s); %s.".formatted(home, reason(failure, said), remedy(failure, said)),
                failure);
    }

    /** A program of PostgreSQL gave up, with these words. */
    static EmbeddedUnavailable with(Path home, String attempt, List<String> words) {
        String said = String.join("\n", words);
        if (isDiskFull(home, said)) {
            return diskFull(home, null);
        }
        if (said.contains("could not look up effective user ID")) {
            return new EmbeddedUnavailable("PostgreSQL refuses to run as a user without a name; add an entry for it to"
                    + " /etc/passwd, or give Interlock a server of your own with --store postgres://…");
        }
        if (said.contains("failed to execute")) { // setpriv or unshare, on our behalf
            return doesNotRun(home, last(words));
        }
        return new EmbeddedUnavailable("%s failed; it said: %s".formatted(attempt, last(words)));
    }

    static String last(List<String> words) {
        List<String> spoken = words.stream().filter(line -> !line.isBlank()).toList();
        return spoken.isEmpty()
                ? "nothing."
                : String.join(" | ", spoken.subList(Math.max(0, spoken.size() - LAST_LINES), spoken.size()));
    }

    private static EmbeddedUnavailable doesNotRun(Path home, String said) {
        return new EmbeddedUnavailable(
                ("The PostgreSQL that Interlock carries does not run in %s (%s): it needs glibc and a"
                                + " disk that is not mounted noexec; or give Interlock a server of your own with"
                                + " --store postgres://…")
                        .formatted(home, said));
    }

    private static EmbeddedUnavailable diskFull(Path home, @Nullable IOException cause) {
        return new EmbeddedUnavailable(
                "No space is left on the disk of %s; free some, then run the command again.".formatted(home), cause);
    }

    /** Where nothing can be written the log has no words either, so the disk itself is asked too. */
    private static boolean isDiskFull(Path home, String said) {
        if (said.contains("No space left on device") || said.contains("Disk quota exceeded")) {
            return true;
        }
        try {
            return Files.getFileStore(home).getUsableSpace() < NEXT_TO_NOTHING;
        } catch (IOException e) {
            return false;
        }
    }

    private static String reason(IOException failure, String said) {
        return switch (failure) {
            case AccessDeniedException denied -> "permission denied: " + denied.getFile();
            case FileAlreadyExistsException exists -> "not a directory: " + exists.getFile();
            default -> said;
        };
    }

    private static String remedy(IOException failure, String said) {
        boolean refused = failure instanceof AccessDeniedException
                || failure instanceof FileAlreadyExistsException
                || REFUSALS.stream().anyMatch(said::contains);
        return refused
                ? "make it a directory of yours, or set INTERLOCK_HOME to one"
                : "put that right, then run the command again";
    }
}

package dev.interlock.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A critical section that catches whoever is in it at the wrong time. All processes of a visitor have one file open and
 * locked by flock(2), however they have run away from their parents, so the next visitor sees whether any of them is
 * still alive, without looking for process ids that may be somebody else's by now.
 */
record Section(Path journal, Path occupied) {
    private static final String VISIT = """
            exec 9>>"$2"
            flock -n 9 || echo "intruder $INTERLOCK_TOKEN $INTERLOCK_EXECUTION" >>"$1"
            echo "enter $INTERLOCK_TOKEN $INTERLOCK_EXECUTION" >>"$1"
            eval "$3"
            echo "leave $INTERLOCK_TOKEN $INTERLOCK_EXECUTION" >>"$1"
            """;

    static Section in(Path directory) throws IOException {
        Files.createDirectories(directory);
        return new Section(
                Files.createFile(directory.resolve("journal")), Files.createFile(directory.resolve("occupied")));
    }

    /** @param work what a visitor does inside, for the shell */
    List<String> visit(String work) {
        return List.of("sh", "-c", VISIT, "visit", journal.toString(), occupied.toString(), work);
    }

    /** Whole lines only: a visitor may be writing. */
    Journal read() {
        try {
            String text = Files.readString(journal);
            return Journal.of(
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The token with which this one came in, as soon as it has. */
    long awaitEntry(String who) {
        Running.await("the entry of " + who, () -> read().entered().contains(who));
        return read().lines().stream()
                .filter(line -> line.what().equals("enter") && line.who().equals(who))
                .findFirst()
                .orElseThrow()
                .token();
    }

    /** Whether nothing that came in with a visitor is alive. */
    boolean isDeserted() {
        try {
            return new ProcessBuilder("flock", "-n", occupied.toString(), "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

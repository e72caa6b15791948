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

    /** How a workflow visits the section that its parameters name; in YAML. */
    static final String COMMAND = """
            [sh, -c, 'set -- "$JOURNAL" "$OCCUPIED" "$WORK"; eval "$VISIT"']""";

    /**
     * Work that notes how long it lives, by itself, so that a slow observer takes nothing for late; deaf to SIGTERM, and
     * in a session of its own.
     */
    static final String BEATING = """
            setsid sh -c 'trap "" TERM; while :; do date +%s%6N >>"$0.$INTERLOCK_TOKEN"; sleep 0.05; done' "$JOURNAL" &
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

    /** For an execution whose workflow is {@link #COMMAND}. */
    List<String> parameters(String work) {
        return List.of(
                "-p", "VISIT=" + VISIT, "-p", "JOURNAL=" + journal, "-p", "OCCUPIED=" + occupied, "-p", "WORK=" + work);
    }

    /** The microseconds at which what came in with this token was seen alive by itself. */
    List<Long> beats(long token) {
        Path noted = journal.resolveSibling(journal.getFileName() + "." + token);
        try {
            return Files.exists(noted)
                    ? Files.readAllLines(noted).stream().map(Long::valueOf).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those beats that should not be: something was alive after its time. */
    List<Long> beatsAfter(long end, long token) {
        return beats(token).stream().filter(beat -> beat >= end).toList();
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

package dev.interlock.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the server says: first to a file that we give it, then to its own log, one file per weekday, each overwritten a
 * week later. The directory is the server's; as root we must write nothing into it, for it might link to anywhere.
 */
record ServerLog(Path start, Path directory) {
    private static final long LARGE = 10L << 20;
    private static final Duration DAYS_OF_A_WEEK_BUT_TODAY = Duration.ofDays(6);

    /** How far the log had come. */
    record Mark(Optional<Path> file, long size) {}

    Path current() throws IOException {
        return newest().orElse(start);
    }

    Mark mark() throws IOException {
        Optional<Path> newest = newest();
        return new Mark(newest, newest.isPresent() ? Files.size(newest.get()) : 0);
    }

    /** What a start that failed had to say, in lines. */
    List<String> since(Mark mark) throws IOException {
        List<String> lines = new ArrayList<>(linesOf(start, 0));
        Optional<Path> newest = newest();
        if (newest.isPresent()) {
            lines.addAll(linesOf(newest.get(), newest.equals(mark.file()) ? mark.size() : 0));
        }
        return lines;
    }

    List<String> lines() throws IOException {
        return linesOf(current(), 0);
    }

    /** The collector overwrites a file only when it runs through midnight; a server started later appends to it. */
    void prune(Instant now) throws IOException {
        for (Path file : files()) {
            boolean old = Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(DAYS_OF_A_WEEK_BUT_TODAY));
            if (old || Files.size(file) > LARGE) {
                Files.delete(file);
            }
        }
    }

    private Optional<Path> newest() throws IOException {
        return files().stream()
                .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
    }

    private List<Path> files() throws IOException {
        return Home.entries(directory, "postgres-*.log");
    }

    private static List<String> linesOf(Path file, long skip) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        byte[] bytes = Files.readAllBytes(file);
        int from = (int) Math.min(skip, bytes.length);
        return new String(bytes, from, bytes.length - from, UTF_8).lines().toList();
    }
}

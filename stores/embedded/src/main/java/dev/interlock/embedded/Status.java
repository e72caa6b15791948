package dev.interlock.embedded;

import java.nio.file.Path;
import java.time.Instant;

/** What there is of the store, as {@code interlock store status} shows it. */
public sealed interface Status {
    record Running(long pid, int port, String version, Instant since, Path data, long bytes, Path log)
            implements Status {}

    /** There is data, made by this major version, and nothing serves it. */
    record Stopped(String majorVersion, Path data, long bytes, Path log) implements Status {}

    /** Nothing was ever stored here. */
    record Absent(Path home) implements Status {}
}

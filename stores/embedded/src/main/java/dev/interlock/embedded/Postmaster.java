package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A server process as its own {@code postmaster.pid} tells of it. */
record Postmaster(Path data, long pid, Instant since, int port, String status) {

    private static final Duration TO_STOP = Duration.ofSeconds(30);
    private static final Duration TO_ABORT = Duration.ofSeconds(15);
    private static final int LEVELS_BELOW_VERSION = 3; // 18.6.0/bin/postgres
    private static final int PID = 0, SINCE = 2, PORT = 3, STATUS = 7;

    /** The one that serves this data directory; none if the file is a leftover, or not yet filled in. */
    static Optional<Postmaster> of(Path data) throws IOException {
        return read(data).filter(postmaster -> OsProcess.serves(postmaster.pid, data));
    }

    /** What the file says, true or not. */
    static Optional<Postmaster> read(Path data) throws IOException {
        try {
            List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
            return Optional.of(new Postmaster(
                    data,
                    Long.parseLong(lines.get(PID)),
                    Instant.ofEpochSecond(Long.parseLong(lines.get(SINCE))),
                    Integer.parseInt(lines.get(PORT)),
                    lines.size() > STATUS ? lines.get(STATUS).strip() : ""));
        } catch (NoSuchFileException | IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    boolean isReady() {
        return status.equals("ready");
    }

    boolean isStopping() {
        return status.equals("stopping");
    }

    boolean isAlive() {
        return OsProcess.serves(pid, data);
    }

    /** The version in the path of its program, which {@code postmaster.opts} begins with. */
    String version() throws IOException {
        String options = Files.readString(data.resolve("postmaster.opts"));
        Path program = Path.of(options.substring(0, options.indexOf(" \"-")));
        return program.getName(program.getNameCount() - LEVELS_BELOW_VERSION).toString();
    }

    Stop stop() throws IOException {
        signal("INT");
        if (Wait.atMost(TO_STOP).until(() -> !isAlive())) {
            return new Stop.Clean(pid);
        }
        return abort();
    }

    /** Without a last checkpoint; the next start recovers from the log. */
    Stop abort() throws IOException {
        signal("QUIT");
        if (Wait.atMost(TO_ABORT).until(() -> !isAlive())) {
            return new Stop.Forced(pid);
        }
        throw new EmbeddedUnavailable(
                "PostgreSQL on %s does not end; look at process %d before anything else.".formatted(data, pid));
    }

    /** By the shell's own kill: the JDK can send only TERM, on which PostgreSQL waits for its last client. */
    private void signal(String name) throws IOException {
        Command.run(Path.of("/"), List.of("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid)));
    }
}

package dev.interlock.cli;

import dev.interlock.cli.output.JsonLine;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.Verification;
import dev.interlock.core.audit.Verifier;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An export, verified line by line. */
final class AuditFile {
    private final Path path;
    private final @Nullable String expected;
    private final List<Event> pending = new ArrayList<>();
    private long number;
    private long seals;
    private long events;
    private boolean ended;

    AuditFile(Path path, @Nullable String expected) {
        this.path = path;
        this.expected = expected;
    }

    /** @throws UsageError if this is no export, or not all of one */
    Verification verify() {
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            Verifier verifier = new Verifier(header(lines.readLine()), expected);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                read(line, verifier);
            }
            pending.forEach(verifier::unsealed);
            if (!ended) {
                throw new UsageError(path + " is not all of an export: its last line is missing.");
            }
            return verifier.answer();
        } catch (IOException e) {
            throw new UsageError(path + " cannot be read: " + e.getMessage() + ".");
        }
    }

    private boolean header(@Nullable String line) {
        number = 1;
        if (line == null) {
            throw new UsageError(path + " is empty.");
        }
        Map<String, @Nullable Object> header = parsed(line);
        if (!"trail".equals(header.get("kind")) || !Long.valueOf(1).equals(header.get("version"))) {
            throw new UsageError(path + " is no export of an audit trail, or one of a later version.");
        }
        return Boolean.TRUE.equals(header.get("whole"));
    }

    private Map<String, @Nullable Object> parsed(String line) {
        try {
            return JsonLine.read(line);
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private void read(String line, Verifier verifier) {
        Map<String, @Nullable Object> parsed = parsed(line);
        try {
            switch (AuditLines.text(parsed, "kind")) {
                case "event" -> {
                    pending.add(AuditLines.event(parsed));
                    events++;
                }
                case "seal" -> seal(AuditLines.seal(parsed), verifier);
                case "end" ->
                    ended = AuditLines.number(parsed, "seals") == seals
                            && AuditLines.number(parsed, "events") == events;
                default -> throw new IllegalArgumentException("it is of no known kind");
            }
        } catch (IllegalArgumentException | java.time.DateTimeException | ClassCastException e) {
            throw unreadable(e);
        }
    }

    private void seal(Seal seal, Verifier verifier) {
        verifier.sealed(seal, pending);
        pending.clear();
        seals++;
    }

    private UsageError unreadable(RuntimeException e) {
        return new UsageError("Line " + number + " of " + path + " cannot be read: " + e.getMessage() + ".");
    }
}

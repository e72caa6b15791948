package dev.interlock.cli;

import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.JsonLine;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Event;
import dev.interlock.core.audit.Seal;
import dev.interlock.core.audit.StillTrail;
import java.io.PrintStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Seal by seal, so that it does not matter how long the trail is. */
final class AuditExport implements Command {
    private static final int SEALS_AT_ONCE = 20;

    @Override
    public void shape(Shape shape) {
        shape.option("--from", "TIME", "Only seals made then or later, such as 2026-11-16T12:00:00Z.")
                .option("--to", "TIME", "Only seals made before that time. What is not sealed yet is left out.");
    }

    @Override
    public int run(Given given, Session session) {
        Instant from = time(given, "--from");
        Instant to = time(given, "--to");
        try (AuditTrail trail = session.audit();
                StillTrail still = trail.still()) {
            new Export(session.terminal().out(), from, to).write(still);
        }
        return Exit.OK;
    }

    private static @Nullable Instant time(Given given, String option) {
        String text = given.text(option);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageError(option + " takes a time such as 2026-11-16T12:00:00Z, not '" + text + "'.");
        }
    }

    private static final class Export {
        private final PrintStream out;
        private final @Nullable Instant from;
        private final @Nullable Instant to;
        private long seals;
        private long events;

        Export(PrintStream out, @Nullable Instant from, @Nullable Instant to) {
            this.out = out;
            this.from = from;
            this.to = to;
        }

        void write(StillTrail trail) {
            line(new Data.Fields().with("kind", "trail").with("version", 1).with("whole", from == null && to == null));
            List<Seal> some = trail.seals(0, SEALS_AT_ONCE);
            while (!some.isEmpty() && !out.checkError()) {
                some.stream().filter(this::isWanted).forEach(seal -> write(seal, trail.under(seal)));
                some = trail.seals(some.getLast().number(), SEALS_AT_ONCE);
            }
            if (to == null) {
                trail.unsealed(this::write);
            }
            line(new Data.Fields().with("kind", "end").with("seals", seals).with("events", events));
        }

        private boolean isWanted(Seal seal) {
            return (from == null || !seal.sealedAt().isBefore(from))
                    && (to == null || seal.sealedAt().isBefore(to));
        }

        private void write(Seal seal, List<Event> under) {
            under.forEach(this::write);
            line(AuditLines.seal(seal));
            seals++;
        }

        private void write(Event event) {
            line(AuditLines.event(event));
            events++;
        }

        private void line(Data data) {
            out.print(JsonLine.write(data) + "\n");
        }
    }
}

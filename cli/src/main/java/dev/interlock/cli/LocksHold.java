package dev.interlock.cli;

import dev.interlock.core.DurationText;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Maintenance;
import dev.interlock.core.Options;
import dev.interlock.core.Terms;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

final class LocksHold implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name()
                .required(
                        "--until",
                        "WHEN",
                        "When it ends: a duration from now (2h) or an instant with its zone (2026-11-16T18:00Z).")
                .required("--reason", "TEXT", "Why; shown to everybody who is refused.")
                .option("--ticket", "ID", "Where to read more: the change or incident it belongs to.");
        Limits.shapeWait(shape);
        shape.output().quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        LockName name = given.name();
        String reason = given.prose("--reason");
        if (reason == null) {
            throw new UsageError("--reason must not be empty: everybody who is refused reads it.");
        }
        Options options = Options.waiting(Limits.wait(given))
                .withLease(until(given.text("--until", ""), session.now()))
                .withTerms(Terms.PLAIN.withMaintenance(new Maintenance(reason, given.identifier("--ticket"))));
        return new Unattended(session, name, null).take(options, LocksHold::held);
    }

    /** An instant is measured by this machine's clock; the answer tells the end by the store's, which counts. */
    private static Duration until(String text, Instant now) {
        Duration duration;
        try {
            duration = text.indexOf('-', 1) > 0
                    ? Duration.between(now, OffsetDateTime.parse(text).toInstant())
                    : DurationText.parse(text);
        } catch (DateTimeException e) {
            throw new UsageError(
                    "--until takes a duration such as 2h or an instant such as 2026-11-16T18:00Z, not '" + text + "'.");
        } catch (IllegalArgumentException e) {
            throw new UsageError("--until: " + e.getMessage());
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new UsageError("--until must lie in the future, and " + text + " does not.");
        }
        if (duration.compareTo(Limits.LONGEST) > 0) {
            throw new UsageError(
                    "--until must lie within " + DurationText.show(Limits.LONGEST) + ", not at " + text + ".");
        }
        return duration;
    }

    private static String held(Lock lock) {
        return "Holding lock '" + lock.name() + "' for maintenance until "
                + Views.time(lock.grant().expiresAt()) + ". End it sooner with interlock locks release "
                + Shell.quoted(lock.name().value()) + " --token " + lock.token();
    }
}

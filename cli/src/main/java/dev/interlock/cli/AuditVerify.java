package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.text.Printable;
import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.audit.Flaw;
import dev.interlock.core.audit.Verification;
import dev.interlock.core.audit.Verifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

final class AuditVerify implements Command {
    @Override
    public void shape(Shape shape) {
        shape.option("--file", "FILE", "Verify this export instead of the store.")
                .option("--hash", "HASH", "The hash of a seal that must be in the trail, as it was once written down.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        String hash = given.text("--hash");
        if (hash != null && !hash.matches("[0-9a-fA-F]{64}")) {
            throw new UsageError("--hash takes the 64 digits that audit verify shows, not '" + hash + "'.");
        }
        String expected = hash == null ? null : hash.toLowerCase(Locale.ROOT);
        String file = given.text("--file");
        Verification verification =
                file == null ? ofStore(session, expected) : new AuditFile(Path.of(file), expected).verify();
        session.answer(new Verdict(verification));
        return verification instanceof Verification.Whole ? Exit.OK : Exit.FAILED;
    }

    private static Verification ofStore(Session session, @Nullable String expected) {
        try (AuditTrail trail = session.audit()) {
            return Verifier.verify(trail, expected);
        }
    }

    private record Verdict(Verification verification) implements Answer {
        @Override
        public Data data() {
            Verification.Tally tally = verification.tally();
            return new Data.Fields()
                    .with("whole", verification instanceof Verification.Whole)
                    .with(
                            "flaws",
                            flaws().stream()
                                    .map(flaw -> new Data.Text(flaw.sentence()))
                                    .toList())
                    .with("seals", tally.seals())
                    .with("events", tally.events())
                    .with("pruned", tally.pruned())
                    .with("unsealed", tally.unsealed())
                    .with("sealed_at", tally.sealedAt())
                    .with("hash", tally.hash());
        }

        private List<Flaw> flaws() {
            return switch (verification) {
                case Verification.Whole whole -> List.of();
                case Verification.Flawed flawed -> flawed.flaws();
            };
        }

        @Override
        public String text(int columns, boolean colours) {
            return switch (verification) {
                case Verification.Whole(var tally) -> "The trail is whole: " + counted(tally) + "\n";
                case Verification.Flawed(var flaws, var all, var tally) -> {
                    StringBuilder lines = new StringBuilder();
                    flaws.forEach(
                            flaw -> lines.append(Printable.of(flaw.sentence())).append('\n'));
                    if (all > flaws.size()) {
                        lines.append("And ").append(all - flaws.size()).append(" more.\n");
                    }
                    yield lines.toString();
                }
            };
        }

        private static String counted(Verification.Tally tally) {
            String seals = tally.seals() + " seals over " + tally.events() + " events";
            String pruned = tally.pruned() == 0 ? "" : ", " + tally.pruned() + " more were pruned";
            String last = tally.sealedAt() == null
                    ? ""
                    : " The last seal was made at " + Views.time(tally.sealedAt()) + "; its hash is " + tally.hash()
                            + ".";
            return seals + pruned + ", " + tally.unsealed() + " not sealed yet." + last;
        }
    }
}

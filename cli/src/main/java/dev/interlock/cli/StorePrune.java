package dev.interlock.cli;

import dev.interlock.core.DurationText;
import java.time.Duration;

final class StorePrune implements Command {
    private static final Duration QUARTER = Duration.ofDays(90);

    @Override
    public void shape(Shape shape) {
        shape.option(
                        "--unused-for",
                        "DURATION",
                        "Remove the records of locks that nobody has asked for that long. Default: 90d.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        Duration unused = given.duration("--unused-for", QUARTER, Duration.ofSeconds(1), Duration.ofDays(36_500));
        int removed = session.store().prune(unused);
        return session.say(
                Exit.OK,
                "Removed " + removed + (removed == 1 ? " record" : " records") + " unused for "
                        + DurationText.show(unused) + ".");
    }
}

package dev.interlock.cli;

import dev.interlock.core.work.DeadLetters;

final class DeadDiscard implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("EXECUTION", "The execution; dead list shows their ids.")
                .required("--reason", "TEXT", "Why nothing is done about it; kept in the audit trail.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        String reason = given.prose("--reason");
        if (reason == null) {
            throw new UsageError("--reason must not be empty: the audit trail keeps it.");
        }
        DeadLetters.Discarded answer = session.work()
                .deadLetters()
                .discard(given.positional(), session.identity().user(), reason);
        return switch (answer) {
            case DeadLetters.Gone gone -> session.say(Exit.OK, gone.sentence());
            case DeadLetters.NotDead none -> session.say(Exit.REFUSED, none.sentence());
        };
    }
}

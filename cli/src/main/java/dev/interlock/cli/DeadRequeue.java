package dev.interlock.cli;

import dev.interlock.core.work.DeadLetters;

final class DeadRequeue implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("EXECUTION", "The execution; dead list shows their ids.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        DeadLetters.Requeued answer = session.work()
                .deadLetters()
                .requeue(given.positional(), session.identity().user());
        return switch (answer) {
            case DeadLetters.Submitted done -> session.say(Exit.OK, done.sentence());
            case DeadLetters.Repeated before -> session.say(Exit.OK, before.sentence());
            case DeadLetters.Refused refused -> session.say(Exit.REFUSED, refused.sentence());
            case DeadLetters.NotDead none -> session.say(Exit.REFUSED, none.sentence());
        };
    }
}

package dev.interlock.cli;

import dev.interlock.core.work.Cancellation;

final class ExecutionsCancel implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("ID", "The id of the execution.")
                .required("--reason", "TEXT", "Why; it is kept with the execution.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        String reason = given.prose("--reason");
        if (reason == null) {
            throw new UsageError("--reason must not be empty.");
        }
        Cancellation answer = session.work()
                .executions()
                .cancel(given.positional(), session.identity().user(), reason);
        int code = switch (answer) {
            case Cancellation.Cancelled cancelled -> Exit.OK;
            case Cancellation.Stopping stopping -> Exit.OK;
            case Cancellation.AlreadyEnded ended -> Exit.REFUSED;
            case Cancellation.Unknown unknown -> Exit.FAILED;
        };
        return session.say(code, answer.sentence());
    }
}

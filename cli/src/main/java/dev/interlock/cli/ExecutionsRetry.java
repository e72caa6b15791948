package dev.interlock.cli;

import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.work.Standing;
import java.util.List;

final class ExecutionsRetry implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("ID", "The id of an execution that has ended.")
                .flag("Show its log while it runs, and end as its command ends.", "-f", "--follow")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        String id = given.positional();
        Standing standing = session.work().executions().find(id).orElse(null);
        if (standing == null) {
            return session.say(Exit.FAILED, ExecutionsShow.unknown(id));
        }
        if (!standing.execution().phase().isTerminal()) {
            return session.say(
                    Exit.REFUSED,
                    "Execution " + id + " is " + standing.execution().phase().word()
                            + ": it has not ended. See: interlock executions show " + id);
        }
        // The key makes one new execution of however many who retry the same one.
        Submission submission = session.work()
                .executions()
                .submit(List.of(standing.execution().request().withIdempotencyKey("retry:" + id)))
                .getFirst();
        Execution again = submission.execution();
        session.talk().say(submission.sentence());
        if (given.has("--follow")) {
            return new Following(session, again.id()).toTheEnd();
        }
        session.terminal().out().println(again.id());
        return Exit.OK;
    }
}

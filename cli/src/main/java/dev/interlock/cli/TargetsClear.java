package dev.interlock.cli;

import dev.interlock.core.LockName;
import dev.interlock.core.execution.Execution;
import java.util.List;
import java.util.stream.Collectors;

final class TargetsClear implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("TARGET", "The target that you have looked at.")
                .required("--reason", "TEXT", "What you found; kept in the audit trail.")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        LockName target = given.name();
        String reason = given.prose("--reason");
        if (reason == null) {
            throw new UsageError("--reason must not be empty: say what you found.");
        }
        List<Execution> cleared =
                session.work().executions().clear(target, session.identity().user(), reason);
        return session.say(
                Exit.OK,
                cleared.isEmpty()
                        ? "No failure blocks '" + target + "'; nothing was changed."
                        : "Cleared on '" + target + "': "
                                + cleared.stream().map(Execution::id).collect(Collectors.joining(", ")) + ".");
    }
}

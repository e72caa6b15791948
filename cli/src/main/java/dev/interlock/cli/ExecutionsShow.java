package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Table;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.work.Standing;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

final class ExecutionsShow implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("ID", "The id of the execution.").output();
    }

    @Override
    public int run(Given given, Session session) {
        String id = given.positional();
        Standing standing = session.work().executions().find(id).orElse(null);
        return standing == null ? session.say(Exit.FAILED, unknown(id)) : session.answer(new Detail(standing));
    }

    static String unknown(String id) {
        return "There is no execution '" + id + "'. See: interlock executions list";
    }

    record Detail(Standing standing) implements Answer {
        @Override
        public Data data() {
            return ExecutionViews.data(standing);
        }

        @Override
        public String text(int columns, boolean colours) {
            Execution execution = standing.execution();
            Table facts = Table.plain()
                    .row("Execution", execution.id())
                    .row("Phase", ExecutionViews.phase(execution))
                    .row("Workflow", execution.request().workflow())
                    .row("Target", execution.request().target())
                    .row("Requester", execution.request().requester())
                    .row("Submitted", Views.time(execution.submittedAt()));
            row(facts, "Note", ExecutionViews.note(standing));
            row(facts, "Correlation", execution.request().correlationId());
            row(facts, "Dead since", standing.deadSince() == null ? null : Views.time(standing.deadSince()));
            if (execution.clearance() != null) {
                row(
                        facts,
                        "Cleared",
                        "by " + execution.clearance().by() + ": "
                                + execution.clearance().reason());
            }
            new TreeMap<>(execution.request().parameters())
                    .forEach((name, value) -> facts.row("Parameter", name + "=" + value));
            return facts.render(columns, colours) + attempts(execution, columns, colours);
        }

        private static void row(Table facts, String label, @Nullable String value) {
            if (value != null && !value.isEmpty()) {
                facts.row(label, value);
            }
        }

        private String attempts(Execution execution, int columns, boolean colours) {
            if (execution.attempts().isEmpty()) {
                return "";
            }
            Table table = Table.of("ATTEMPT", "OWNER", "TOKEN", "STARTED", "TOOK", "EXIT", "FAILURE");
            for (Attempt attempt : execution.attempts()) {
                Attempt.End end = attempt.end();
                Failure failure = end == null ? null : end.failure();
                table.row(
                        attempt.number(),
                        attempt.owner(),
                        attempt.token(),
                        Views.time(attempt.startedAt()),
                        Views.span(attempt.startedAt(), end == null ? standing.seenAt() : end.at()),
                        end == null || end.exit() == null ? "-" : end.exit(),
                        failure == null ? "" : failure.code() + ": " + failure.message());
            }
            return "\n" + table.render(columns, colours);
        }
    }
}

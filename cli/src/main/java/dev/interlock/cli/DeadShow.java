package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Table;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.work.DeadLetters;
import dev.interlock.core.work.Standing;
import java.util.Optional;

final class DeadShow implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("EXECUTION", "The execution; dead list shows their ids.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        String id = given.positional();
        Optional<Standing> letter = session.work().deadLetters().find(id);
        return letter.isPresent()
                ? session.answer(new Letter(letter.get()))
                : session.say(Exit.REFUSED, new DeadLetters.NotDead(id).sentence());
    }

    private record Letter(Standing letter) implements Answer {
        @Override
        public Data data() {
            return DeadViews.data(letter);
        }

        @Override
        public String text(int columns, boolean colours) {
            Execution execution = letter.execution();
            Table facts = Table.of("EXECUTION", execution.id());
            facts.row("TARGET", execution.request().target());
            facts.row("WORKFLOW", execution.request().workflow());
            facts.row("REQUESTER", execution.request().requester());
            facts.row("SUBMITTED", Views.time(execution.submittedAt()));
            facts.row("DEAD FOR", DeadViews.deadFor(letter));
            facts.row("PARAMETERS", execution.request().parameters().isEmpty() ? "-" : parameters(execution));
            Table attempts = Table.of("ATTEMPT", "TOKEN", "STARTED", "WORKER", "FAILURE", "MESSAGE");
            for (Attempt attempt : execution.attempts()) {
                Attempt.End end = attempt.end();
                Failure failure = end == null ? null : end.failure();
                attempts.row(
                        attempt.number(),
                        attempt.token(),
                        Views.time(attempt.startedAt()),
                        attempt.owner(),
                        failure == null ? "-" : failure.code(),
                        failure == null ? "" : failure.message());
            }
            return facts.render(columns, colours) + "\n" + attempts.render(columns, colours);
        }

        private static String parameters(Execution execution) {
            StringBuilder all = new StringBuilder();
            new java.util.TreeMap<>(execution.request().parameters())
                    .forEach((name, value) -> all.append(all.isEmpty() ? "" : " ")
                            .append(name)
                            .append('=')
                            .append(value));
            return all.toString();
        }
    }
}

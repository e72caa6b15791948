package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class ExecutionsSubmit implements Command {
    @Override
    public void shape(Shape shape) {
        shape.words("WORKFLOW TARGET", "What to do, and to what.")
                .repeatable("--parameter", "NAME=VALUE", "A parameter of the workflow; may be repeated.", "-p")
                .option(
                        "--on-busy",
                        "CHOICE",
                        "While the target is busy: queue (wait in line), refuse (skip it), join (an identical open"
                                + " execution serves both). Default: queue.")
                .option("--priority", "N", "The greater goes first among targets. Default: 0.")
                .option(
                        "--key",
                        "KEY",
                        "An idempotency key: the same request under the same key is one execution, however often it is"
                                + " sent.")
                .option("--correlation", "ID", "Ties it to what caused it; shown in audit and logs.")
                .flag("Show its log while it runs, and end as its command ends.", "-f", "--follow")
                .output()
                .quiet();
    }

    @Override
    public int run(Given given, Session session) throws InterruptedException {
        Request request = request(given, session);
        Submission submission =
                session.work().executions().submit(List.of(request)).getFirst();
        Execution execution = submission.execution();
        int code = code(submission);
        if (code != Exit.OK) {
            return session.say(code, submission.sentence());
        }
        session.talk().say(submission.sentence());
        if (given.has("--follow")) {
            return new Following(session, execution.id()).toTheEnd();
        }
        return session.answer(new Accepted(submission));
    }

    private static int code(Submission submission) {
        if (submission instanceof Submission.KeyReused) {
            return Exit.REFUSED;
        }
        if (submission instanceof Submission.New(Execution execution)) {
            return switch (execution.phase()) {
                case FAILED -> Exit.USAGE;
                case SKIPPED -> Exit.REFUSED;
                case PENDING, RUNNING, COMPLETED, CANCELLED -> Exit.OK;
            };
        }
        return Exit.OK;
    }

    private static Request request(Given given, Session session) {
        List<String> words = given.words();
        if (words.size() != 2) {
            throw new UsageError("Say what to do and to what: interlock executions submit WORKFLOW TARGET.");
        }
        try {
            return new Request(
                    words.get(0),
                    words.get(1),
                    parameters(given.texts("--parameter")),
                    session.identity().user(),
                    onBusy(given.text("--on-busy", "queue")),
                    (int) given.number("--priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE),
                    given.text("--key"),
                    given.text("--correlation"));
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    static Map<String, String> parameters(List<String> texts) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new UsageError("--parameter takes NAME=VALUE, not '" + text + "'.");
            }
            if (parameters.put(text.substring(0, equals), text.substring(equals + 1)) != null) {
                throw new UsageError("Parameter '" + text.substring(0, equals) + "' is given twice.");
            }
        }
        return parameters;
    }

    private static OnBusy onBusy(String word) {
        for (OnBusy choice : OnBusy.values()) {
            if (choice.word().equals(word)) {
                return choice;
            }
        }
        throw new UsageError("--on-busy takes queue, refuse or join, not '" + word + "'.");
    }

    /** The id alone for people and shells. */
    private record Accepted(Submission submission) implements Answer {
        @Override
        public Data data() {
            Execution execution = submission.execution();
            return new Data.Fields()
                    .with("id", execution.id())
                    .with("phase", execution.phase().word())
                    .with("new", submission instanceof Submission.New && execution.phase() == Phase.PENDING)
                    .with("message", submission.sentence());
        }

        @Override
        public String text(int columns, boolean colours) {
            return submission.execution().id() + "\n";
        }
    }
}

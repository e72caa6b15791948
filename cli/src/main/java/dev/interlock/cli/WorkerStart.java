package dev.interlock.cli;

import dev.interlock.core.audit.AuditTrail;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.declaration.Declarations;
import dev.interlock.declaration.Reading;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code interlock worker}. */
final class WorkerStart implements Command {
    private static final Duration LONGEST_GRACE = Duration.ofDays(1);
    private static final int MOST_SLOTS = 1000;

    @Override
    public void shape(Shape shape) {
        shape.repeatable(
                        "--declarations",
                        "FILE",
                        "A YAML file of workflows and lifecycles: what this worker can run. May be repeated.",
                        "-d")
                .option("--slots", "N", "How many executions it runs at once. Default: 4.")
                .option(
                        "--drain",
                        "DURATION",
                        "How long running work is given to end when the worker is told to leave. Default: 30s.")
                .option(
                        "--grace",
                        "DURATION",
                        "How long a command is given between SIGTERM and SIGKILL, at most a third of its lease."
                                + " Default: 10s.")
                .option(
                        "--metrics",
                        "[HOST:]PORT",
                        "Show metrics for Prometheus at http://HOST:PORT/metrics. Default host: 127.0.0.1.")
                .option(
                        QueueOption.NAME,
                        "ADDRESS",
                        "Be woken through an SQS FIFO queue, too: sqs://NAME.fifo[?region=REGION][&endpoint=URL]; none"
                                + " to stop submits from sending to one.")
                .flag("Leave the janitor's work to others.", "--no-janitor")
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        List<String> files = given.texts("--declarations");
        if (files.isEmpty()) {
            throw new UsageError("A worker needs --declarations: the file that says what it can run.");
        }
        String queue = queue(given);
        return switch (Declarations.read(WorkflowsApply.files(files))) {
            case Reading.Malformed(List<String> findings) -> WorkflowsApply.complain(session, findings);
            case Reading.Declared(Catalogue written, Catalogue here) ->
                WorkflowsApply.publish(session, written, published -> {
                    session.talk().say(published.sentence());
                    try (AuditTrail audit = session.audit()) {
                        return session.services()
                                .work(session.work(), audit, plan(given, here, queue), session.talk()::say);
                    }
                });
        };
    }

    private static @Nullable String queue(Given given) {
        return WorkerPlan.NO_QUEUE.equals(given.text(QueueOption.NAME)) ? WorkerPlan.NO_QUEUE : QueueOption.of(given);
    }

    private static WorkerPlan plan(Given given, Catalogue here, @Nullable String queue) {
        return new WorkerPlan(
                here,
                (int) given.number("--slots", 4, 1, MOST_SLOTS),
                given.duration("--drain", Duration.ofSeconds(30), Duration.ZERO, LONGEST_GRACE),
                given.duration("--grace", Duration.ofSeconds(10), Duration.ZERO, LONGEST_GRACE),
                given.text("--metrics"),
                queue,
                !given.has("--no-janitor"),
                Version.number());
    }
}

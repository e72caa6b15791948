package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import dev.interlock.cli.text.Printable;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Verdict;
import dev.interlock.core.Waiter;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.execution.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class Why implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("TARGET", "The target, whose name is also the name of its lock.")
                .option(
                        "--workflow",
                        "WORKFLOW",
                        "Apply every rule of admission, as if somebody asked for this workflow now.")
                .repeatable("--parameter", "NAME=VALUE", "With --workflow: a parameter; may be repeated.", "-p")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        LockName target = given.name();
        String workflow = given.text("--workflow");
        if (workflow != null) {
            return session.answer(new WhyWorkflow(examined(target, workflow, given, session)));
        }
        Lock lock = session.store().find(target).orElse(null);
        List<Waiter> queue = lock == null || lock.waiting() == 0
                ? List.of()
                : session.store().waiters(target);
        return session.answer(new Reasons(target, lock, Verdict.of(lock, queue), queue));
    }

    private static Case examined(LockName target, String workflow, Given given, Session session) {
        Request request = Request.of(
                workflow,
                target.value(),
                ExecutionsSubmit.parameters(given.texts("--parameter")),
                session.identity().user());
        return session.work().executions().examine(Candidate.whatIf(request, Instant.MAX));
    }

    private record Reasons(LockName target, @Nullable Lock lock, List<Verdict> verdicts, List<Waiter> queue)
            implements Answer {

        private boolean isBlocked() {
            for (Verdict verdict : verdicts) {
                if (verdict.blocks()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Data data() {
            List<Data> rules = new ArrayList<>();
            for (Verdict verdict : verdicts) {
                rules.add(new Data.Fields()
                        .with("rule", verdict.rule().word())
                        .with("blocks", verdict.blocks())
                        .with("evidence", verdict.evidence())
                        .with("until", verdict.until()));
            }
            return new Data.Fields()
                    .with("target", target.value())
                    .with("blocked", isBlocked())
                    .with("rules", rules)
                    .with("queue", Queue.data(queue));
        }

        @Override
        public String text(int columns, boolean colours) {
            Table table = Table.of("RULE", "VERDICT", "EVIDENCE", "UNTIL");
            for (Verdict verdict : verdicts) {
                table.row(
                        verdict.rule().word(),
                        verdict.blocks() ? Table.cell("blocks", Style.BAD) : Table.cell("ok", Style.GOOD),
                        verdict.evidence(),
                        until(verdict));
            }
            String queued = lock == null || queue.isEmpty()
                    ? ""
                    : "\n" + Queue.table(queue, lock.seenAt()).render(columns, colours);
            return headline(colours) + table.render(columns, colours) + queued;
        }

        private String headline(boolean colours) {
            String name = "'" + Printable.of(target.value()) + "'";
            return isBlocked()
                    ? name + " is " + Style.BAD.paint("blocked", colours) + ".\n"
                    : name + " is " + Style.GOOD.paint("free", colours) + ": a request would be granted now.\n";
        }

        private String until(Verdict verdict) {
            if (verdict.until() == null || lock == null) {
                return "";
            }
            String when = Views.time(verdict.until()) + " (in " + Views.span(lock.seenAt(), verdict.until()) + ")";
            return verdict.rule() == Verdict.Rule.HOLDER ? when + " unless renewed" : when;
        }
    }
}

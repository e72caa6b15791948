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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class Why implements Command {
    @Override
    public void shape(Shape shape) {
        shape.positional("TARGET", "The target, whose name is also the name of its lock.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        LockName target = given.name();
        Lock lock = session.store().find(target).orElse(null);
        List<Waiter> queue = lock == null || lock.waiting() == 0
                ? List.of()
                : session.store().waiters(target);
        return session.answer(new Reasons(target, lock, Verdict.of(lock, queue), queue));
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

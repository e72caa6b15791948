package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Style;
import dev.interlock.cli.output.Table;
import dev.interlock.core.work.WorkerStore.Worker;
import java.util.ArrayList;
import java.util.List;

final class WorkersList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.output();
    }

    @Override
    public int run(Given given, Session session) {
        List<Worker> workers = session.work().workers().workers();
        int code = session.answer(new Listing(workers));
        if (workers.isEmpty() && session.format() == Format.TABLE) {
            session.talk().say("No worker is there.");
        }
        return code;
    }

    private record Listing(List<Worker> workers) implements Answer {
        @Override
        public Data data() {
            List<Data> all = new ArrayList<>();
            for (Worker worker : workers) {
                all.add(new Data.Fields()
                        .with("id", worker.id())
                        .with("slots", worker.slots())
                        .with("running", worker.running())
                        .with("draining", worker.draining())
                        .with("workflows", DeclaredViews.texts(sorted(worker)))
                        .with("version", worker.version())
                        .with("since", worker.since()));
            }
            return new Data.Fields().with("workers", all);
        }

        @Override
        public String text(int columns, boolean colours) {
            if (workers.isEmpty()) {
                return "";
            }
            Table table = Table.of("ID", "STATUS", "RUNNING", "SLOTS", "SINCE", "VERSION", "WORKFLOWS");
            for (Worker worker : workers) {
                table.row(
                        worker.id(),
                        worker.draining() ? Table.cell("draining", Style.WARN) : Table.cell("working", Style.GOOD),
                        worker.running(),
                        worker.slots(),
                        Views.time(worker.since()),
                        worker.version(),
                        String.join(", ", sorted(worker)));
            }
            return table.render(columns, colours);
        }

        private static List<String> sorted(Worker worker) {
            return worker.workflows().stream().sorted().toList();
        }
    }
}

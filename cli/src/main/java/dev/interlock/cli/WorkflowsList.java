package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

final class WorkflowsList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.output();
    }

    @Override
    public int run(Given given, Session session) {
        Catalogue catalogue = session.work().catalogue().catalogue();
        int code = session.answer(new Listing(workflows(catalogue), lifecycles(catalogue)));
        if (catalogue.equals(Catalogue.EMPTY) && session.format() == Format.TABLE) {
            session.talk().say("Nothing is declared yet. See: interlock workflows apply --help");
        }
        return code;
    }

    private static List<Workflow> workflows(Catalogue catalogue) {
        List<Workflow> workflows = new ArrayList<>(catalogue.workflows().values());
        workflows.sort(Comparator.comparing(Workflow::name));
        return workflows;
    }

    private static List<Lifecycle> lifecycles(Catalogue catalogue) {
        List<Lifecycle> lifecycles = new ArrayList<>(catalogue.lifecycles().values());
        lifecycles.sort(Comparator.comparing(Lifecycle::name));
        return lifecycles;
    }

    private record Listing(List<Workflow> workflows, List<Lifecycle> lifecycles) implements Answer {
        @Override
        public Data data() {
            List<Data> own = new ArrayList<>();
            for (Workflow workflow : workflows) {
                own.add(DeclaredViews.data(workflow));
            }
            List<Data> machines = new ArrayList<>();
            for (Lifecycle lifecycle : lifecycles) {
                machines.add(DeclaredViews.data(lifecycle));
            }
            return new Data.Fields().with("workflows", own).with("lifecycles", machines);
        }

        @Override
        public String text(int columns, boolean colours) {
            if (workflows.isEmpty() && lifecycles.isEmpty()) {
                return "";
            }
            Table table = Table.of("WORKFLOW", "LIFECYCLE", "FROM", "TO", "COMMAND");
            for (Workflow workflow : workflows) {
                table.row(workflow.name(), "-", "-", "-", DeclaredViews.command(workflow));
            }
            for (Lifecycle lifecycle : lifecycles) {
                for (Step step : lifecycle.declaration().steps()) {
                    table.row(
                            step.name(),
                            lifecycle.name(),
                            DeclaredViews.join(step.from()),
                            step.onSuccess(),
                            DeclaredViews.command(step.workflow()));
                }
            }
            return table.render(columns, colours);
        }
    }
}

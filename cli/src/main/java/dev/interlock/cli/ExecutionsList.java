package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.ExecutionFilter;
import dev.interlock.core.work.Standing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

final class ExecutionsList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.option(
                        "--phase",
                        "PHASE,…",
                        "Only those in these phases: pending, running, completed, failed, skipped, cancelled.")
                .option("--target", "TARGET", "Only those of this target.")
                .option("--workflow", "WORKFLOW", "Only those of this workflow.")
                .option("--requester", "NAME", "Only those that this person or service asked for.")
                .option("--limit", "N", "At most so many, from 1 to 1000. Default: 100.")
                .option("--after", "CURSOR", "Go on where the previous page ended; it said with which cursor.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        ExecutionFilter filter = new ExecutionFilter(
                phases(given.text("--phase", "")),
                given.gives("--target") ? Given.name(given.text("--target", "")).value() : null,
                given.text("--workflow"),
                given.text("--requester"),
                false);
        int limit = (int) given.number("--limit", 100, 1, Page.MAX_SIZE);
        Page<Standing> page = session.work().executions().list(filter, new Page.Request(given.text("--after"), limit));
        int code = session.answer(new Listing(page));
        if (session.format() == Format.TABLE && page.items().isEmpty()) {
            session.talk().say("There is no such execution.");
        }
        if (session.format() == Format.TABLE && page.next() != null) {
            session.talk().say("There are more: go on with --after " + Shell.quoted(page.next()));
        }
        return code;
    }

    private static Set<Phase> phases(String text) {
        if (text.isEmpty()) {
            return Set.of(Phase.values());
        }
        Set<Phase> phases = EnumSet.noneOf(Phase.class);
        for (String word : text.split(",", -1)) {
            try {
                phases.add(Phase.valueOf(word.strip().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new UsageError(
                        "--phase takes pending, running, completed, failed, skipped or cancelled, not '" + word + "'.");
            }
        }
        return phases;
    }

    /** The newest first. */
    record Listing(Page<Standing> page) implements Answer {
        @Override
        public Data data() {
            List<Data> executions = new ArrayList<>();
            for (Standing standing : page.items()) {
                executions.add(ExecutionViews.data(standing));
            }
            return new Data.Fields().with("executions", executions).with("next", page.next());
        }

        @Override
        public String text(int columns, boolean colours) {
            if (page.items().isEmpty()) {
                return "";
            }
            Table table = Table.of("ID", "PHASE", "WORKFLOW", "TARGET", "REQUESTER", "AGE", "ATTEMPTS", "NOTE");
            for (Standing standing : page.items()) {
                Execution execution = standing.execution();
                table.row(
                        execution.id(),
                        ExecutionViews.phase(execution),
                        execution.request().workflow(),
                        execution.request().target(),
                        execution.request().requester(),
                        Views.span(execution.submittedAt(), standing.seenAt()),
                        execution.attempts().size(),
                        ExecutionViews.note(standing));
            }
            return table.render(columns, colours);
        }
    }
}

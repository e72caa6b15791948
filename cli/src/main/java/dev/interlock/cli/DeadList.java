package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Page;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.work.Standing;
import java.util.ArrayList;
import java.util.List;

final class DeadList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.option("--limit", "N", "At most so many, from 1 to 1000. Default: 100.")
                .option("--after", "CURSOR", "Go on where the previous page ended; it said with which cursor.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        int limit = (int) given.number("--limit", 100, 1, Page.MAX_SIZE);
        Page<Standing> page = session.work().deadLetters().list(new Page.Request(given.text("--after"), limit));
        int code = session.answer(new Listing(page));
        if (page.items().isEmpty() && session.format() == Format.TABLE) {
            session.talk().say("There are no dead letters.");
        }
        if (page.next() != null && session.format() == Format.TABLE) {
            session.talk().say("There are more: go on with --after " + Shell.quoted(page.next()));
        }
        return code;
    }

    private record Listing(Page<Standing> page) implements Answer {
        @Override
        public Data data() {
            List<Data> letters = new ArrayList<>();
            for (Standing letter : page.items()) {
                letters.add(DeadViews.data(letter));
            }
            return new Data.Fields().with("letters", letters).with("next", page.next());
        }

        @Override
        public String text(int columns, boolean colours) {
            if (page.items().isEmpty()) {
                return "";
            }
            Table table = Table.of("EXECUTION", "TARGET", "WORKFLOW", "DEAD FOR", "ATTEMPTS", "FAILURE");
            for (Standing letter : page.items()) {
                Execution execution = letter.execution();
                table.row(
                        execution.id(),
                        execution.request().target(),
                        execution.request().workflow(),
                        DeadViews.deadFor(letter),
                        execution.attempts().size(),
                        DeadViews.code(execution));
            }
            return table.render(columns, colours);
        }
    }
}

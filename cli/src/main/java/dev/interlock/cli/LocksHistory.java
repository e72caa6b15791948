package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.util.ArrayList;
import java.util.List;

final class LocksHistory implements Command {
    @Override
    public void shape(Shape shape) {
        shape.name()
                .option("--limit", "N", "At most so many events, from 1 to 1000. Default: 100.")
                .option("--after", "CURSOR", "Go on where the previous page ended; it said with which cursor.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        LockName name = given.name();
        int limit = (int) given.number("--limit", 100, 1, Page.MAX_SIZE);
        Page<Past> page = session.store().history(name, new Page.Request(given.text("--after"), limit));
        int code = session.answer(new History(name, page));
        if (session.format() == Format.TABLE && page.items().isEmpty()) {
            session.talk().say("Nothing has ended yet for lock '" + name + "'.");
        }
        if (session.format() == Format.TABLE && page.next() != null) {
            session.talk().say("There are more: go on with --after " + Shell.quoted(page.next()));
        }
        return code;
    }

    private record History(LockName name, Page<Past> page) implements Answer {
        @Override
        public Data data() {
            List<Data> events = new ArrayList<>();
            for (Past past : page.items()) {
                events.add(Views.data(past));
            }
            return new Data.Fields()
                    .with("name", name.value())
                    .with("events", events)
                    .with("next", page.next());
        }

        @Override
        public String text(int columns, boolean colours) {
            if (page.items().isEmpty()) {
                return "";
            }
            Table table = Table.of("TIME", "EVENT", "TOKEN", "HOLDER", "EXECUTION", "HELD", "DETAIL");
            for (Past past : page.items()) {
                table.row(
                        Views.time(past.ended()),
                        Views.word(past.event()),
                        past.token(),
                        Views.who(past.holder()),
                        Views.execution(past.holder()),
                        past.began().equals(past.ended()) ? "-" : Views.span(past.began(), past.ended()),
                        past.detail() == null ? "" : past.detail());
            }
            return table.render(columns, colours);
        }
    }
}

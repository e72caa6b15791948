package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.Page;
import java.util.ArrayList;
import java.util.List;

final class LocksList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.repeatable(
                        "--filter",
                        "KEY=VALUE,…",
                        "Only locks that match. Keys: status (active, releasing, released, expired; may be repeated),"
                                + " owner, user, execution, prefix (of the name).")
                .flag("Also locks that nobody holds any more.", "-a", "--all")
                .option("--limit", "N", "At most so many, from 1 to 1000. Default: 100.")
                .option("--after", "CURSOR", "Go on where the previous page ended; it said with which cursor.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        LockFilter filter = FilterText.parse(given.texts("--filter"), given.has("--all"));
        int limit = (int) given.number("--limit", 100, 1, Page.MAX_SIZE);
        Page<Lock> page = session.store().list(filter, new Page.Request(given.text("--after"), limit));
        int code = session.answer(new Listing(page));
        page.faults().forEach(session.talk()::complain);
        if (page.items().isEmpty() && page.faults().isEmpty() && session.format() == Format.TABLE) {
            session.talk().say(nothing(given));
        }
        if (page.next() != null && session.format() == Format.TABLE) {
            session.talk().say("There are more: go on with --after " + Shell.quoted(page.next()));
        }
        return code;
    }

    private static String nothing(Given given) {
        if (!given.texts("--filter").isEmpty()) {
            return "No lock matches.";
        }
        return given.has("--all")
                ? "There are no locks yet."
                : "No lock is held. Those that were: interlock locks list --all";
    }

    private record Listing(Page<Lock> page) implements Answer {
        @Override
        public Data data() {
            List<Data> locks = new ArrayList<>();
            for (Lock lock : page.items()) {
                locks.add(Views.data(lock));
            }
            return new Data.Fields()
                    .with("locks", locks)
                    .with("next", page.next())
                    .with("faults", page.faults().stream().map(Data.Text::new).toList());
        }

        @Override
        public String text(int columns, boolean colours) {
            if (page.items().isEmpty()) {
                return "";
            }
            Table table = Table.of("NAME", "STATUS", "HOLDER", "EXECUTION", "TOKEN", "SINCE", "LEASE", "WAITING");
            for (Lock lock : page.items()) {
                table.row(
                        lock.name(),
                        Views.status(lock),
                        Views.who(lock.holder()),
                        Views.execution(lock.holder()),
                        lock.token(),
                        Views.span(lock.grant().acquiredAt(), lock.seenAt()),
                        lock.isHeld() ? Views.span(lock.seenAt(), lock.grant().expiresAt()) : "-",
                        lock.waiting());
            }
            return table.render(columns, colours);
        }
    }
}

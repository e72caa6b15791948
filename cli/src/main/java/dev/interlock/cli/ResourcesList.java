package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.output.Table;
import dev.interlock.core.Page;
import dev.interlock.core.work.ResourceStore.Kept;
import java.util.ArrayList;
import java.util.List;

final class ResourcesList implements Command {
    @Override
    public void shape(Shape shape) {
        shape.option("--lifecycle", "NAME", "Only resources with this lifecycle.")
                .option("--state", "STATE", "Only resources in this state.")
                .option("--limit", "N", "At most so many, from 1 to 1000. Default: 100.")
                .option("--after", "CURSOR", "Go on where the previous page ended; it said with which cursor.")
                .output();
    }

    @Override
    public int run(Given given, Session session) {
        int limit = (int) given.number("--limit", 100, 1, Page.MAX_SIZE);
        Page.Request request = new Page.Request(given.text("--after"), limit);
        Page<Kept> page = session.work().resources().list(given.text("--lifecycle"), given.text("--state"), request);
        int code = session.answer(new Listing(page));
        if (page.items().isEmpty() && session.format() == Format.TABLE) {
            session.talk().say("There is no such resource. See: interlock resources register --help");
        }
        if (page.next() != null && session.format() == Format.TABLE) {
            session.talk().say("There are more: go on with --after " + Shell.quoted(page.next()));
        }
        return code;
    }

    private record Listing(Page<Kept> page) implements Answer {
        @Override
        public Data data() {
            List<Data> resources = new ArrayList<>();
            for (Kept kept : page.items()) {
                resources.add(ResourceAnswer.data(kept));
            }
            return new Data.Fields().with("resources", resources).with("next", page.next());
        }

        @Override
        public String text(int columns, boolean colours) {
            if (page.items().isEmpty()) {
                return "";
            }
            Table table = Table.of("TARGET", "LIFECYCLE", "STATE", "EXECUTION", "LIVES UNTIL");
            for (Kept kept : page.items()) {
                String under = kept.resource().under();
                table.row(
                        kept.target(),
                        kept.resource().lifecycle().name(),
                        kept.resource().state(),
                        under == null ? "-" : under,
                        kept.expiresAt() == null ? "-" : Views.time(kept.expiresAt()));
            }
            return table.render(columns, colours);
        }
    }
}

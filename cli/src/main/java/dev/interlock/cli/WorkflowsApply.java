package dev.interlock.cli;

import dev.interlock.cli.output.Answer;
import dev.interlock.cli.output.Data;
import dev.interlock.cli.output.Format;
import dev.interlock.cli.text.Printable;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.CatalogueStore.Publication;
import dev.interlock.declaration.Declarations;
import dev.interlock.declaration.Reading;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

final class WorkflowsApply implements Command {
    @Override
    public void shape(Shape shape) {
        shape.words("FILE", "Files with declarations, read as one whole.")
                .flag("Read the files and say what is wrong with them; publish nothing.", "--check")
                .output()
                .quiet();
    }

    @Override
    public int run(Given given, Session session) {
        List<Path> files = files(given);
        return switch (Declarations.read(files)) {
            case Reading.Malformed(List<String> findings) -> complain(session, findings);
            case Reading.Declared declared
            when given.has("--check") -> session.say(Exit.OK, "Nothing is wrong with it.");
            case Reading.Declared declared -> publish(session, declared.catalogue());
        };
    }

    private static List<Path> files(Given given) {
        if (given.words().isEmpty()) {
            throw new UsageError("Say which files, as in interlock workflows apply FILE.");
        }
        return files(given.words());
    }

    static List<Path> files(List<String> words) {
        List<Path> files = new ArrayList<>();
        for (String word : words) {
            try {
                files.add(Path.of(word));
            } catch (InvalidPathException e) {
                throw new UsageError("'" + word + "' cannot be the name of a file.");
            }
        }
        return files;
    }

    /** As compilers do, so that editors find the places. */
    static int complain(Session session, List<String> findings) {
        for (String finding : findings) {
            session.terminal().err().println(Printable.of(finding));
        }
        String count = findings.size() == 1 ? "One thing is" : findings.size() + " things are";
        return session.say(Exit.USAGE, count + " wrong; nothing was published.");
    }

    private static int publish(Session session, Catalogue catalogue) {
        return publish(session, catalogue, published -> {
            session.answer(new Changes(published.changes()));
            if (session.format() == Format.TABLE) {
                session.talk().say(published.sentence());
            }
            return Exit.OK;
        });
    }

    /** Goes on with what comes then, once it is in force. */
    static int publish(Session session, Catalogue catalogue, ToIntFunction<Publication.Published> then) {
        Publication publication =
                session.work().catalogue().publish(catalogue, session.identity().user());
        return switch (publication) {
            case Publication.Published published -> then.applyAsInt(published);
            case Publication.Stranding refused -> session.say(Exit.REFUSED, refused.sentence());
            case Publication.SameName refused -> session.say(Exit.REFUSED, refused.sentence());
        };
    }

    private record Changes(List<String> changes) implements Answer {
        @Override
        public Data data() {
            List<Data> texts = new ArrayList<>();
            for (String change : changes) {
                texts.add(new Data.Text(change));
            }
            return new Data.Fields().with("changes", texts);
        }

        @Override
        public String text(int columns, boolean colours) {
            return "";
        }
    }
}

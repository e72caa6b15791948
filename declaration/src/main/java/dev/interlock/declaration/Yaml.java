package dev.interlock.declaration;

import dev.interlock.declaration.Piece.Field;
import dev.interlock.declaration.Piece.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.Event.ID;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one document of YAML into pieces that know their lines. Every scalar is text: what it means is for the key to
 * say, so that nobody's workflow called {@code no} becomes a boolean. A piece behind an alias is shared, not copied, and
 * depth and aliases are limited: the work is bounded by the size of the file.
 */
final class Yaml {
    private static final int DEEPEST = 20;
    private static final int MOST_ALIASES = 100;

    private final Iterator<Event> events;
    private final Map<String, Piece> anchors = new HashMap<>();
    private int aliases;

    private Yaml(Iterator<Event> events) {
        this.events = events;
    }

    /** The document; null when there is nothing in it. */
    static @Nullable Piece read(String text) throws NotYaml {
        LoadSettings settings = LoadSettings.builder().setLabel("declaration").build();
        try {
            return new Yaml(new Parse(settings).parseString(text).iterator()).document();
        } catch (MarkedYamlEngineException e) {
            throw notYaml(e, text);
        } catch (ReaderException e) {
            throw new NotYaml(
                    lineAt(text, e.getPosition()),
                    "This is not YAML: the character U+%04X is not allowed.".formatted(e.getCodePoint()));
        } catch (YamlEngineException e) {
            throw new NotYaml(0, "This is not YAML: " + sentence(e.getMessage()));
        }
    }

    private static NotYaml notYaml(MarkedYamlEngineException e, String text) {
        int line = line(e.getProblemMark().or(e::getContextMark));
        boolean tab = line > 0
                && text.lines()
                                .skip(line - 1)
                                .findFirst()
                                .orElse("")
                                .stripTrailing()
                                .indexOf('\t')
                        >= 0;
        return new NotYaml(
                line,
                tab
                        ? "This is not YAML: a tab does not indent; use blanks."
                        : "This is not YAML: " + sentence(e.getProblem()));
    }

    private static String sentence(@Nullable String said) {
        String line = said == null ? "" : said.lines().findFirst().orElse("").strip();
        return line.endsWith(".") ? line : line + ".";
    }

    private static int lineAt(String text, int position) {
        return 1
                + (int) text.codePoints()
                        .limit(position)
                        .filter(point -> point == '\n')
                        .count();
    }

    private @Nullable Piece document() throws NotYaml {
        events.next(); // the stream begins
        if (events.next().getEventId() == ID.StreamEnd) {
            return null;
        }
        Piece piece = piece(events.next(), 0);
        events.next(); // the document ends
        Event after = events.next();
        if (after.getEventId() != ID.StreamEnd) {
            throw new NotYaml(line(after), "A second document begins here; a file has one.");
        }
        return piece;
    }

    private Piece piece(Event event, int depth) throws NotYaml {
        if (depth > DEEPEST) {
            throw new NotYaml(line(event), "This is nested deeper than any declaration.");
        }
        if (event instanceof AliasEvent alias) {
            return meant(alias);
        }
        Piece piece =
                event instanceof ScalarEvent scalar ? scalar(scalar) : collection((CollectionStartEvent) event, depth);
        ((NodeEvent) event).getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), piece));
        return piece;
    }

    private static Text scalar(ScalarEvent scalar) throws NotYaml {
        refuseTag(scalar, scalar.getTag());
        boolean isNull = scalar.isPlain()
                && (scalar.getValue().equals("~") || scalar.getValue().equals("null"));
        return new Text(isNull ? "" : scalar.getValue(), line(scalar));
    }

    private Piece collection(CollectionStartEvent start, int depth) throws NotYaml {
        refuseTag(start, start.getTag());
        return start.getEventId() == ID.SequenceStart ? items(start, depth) : fields(start, depth);
    }

    private Piece items(Event start, int depth) throws NotYaml {
        List<Piece> items = new ArrayList<>();
        for (Event next = events.next(); next.getEventId() != ID.SequenceEnd; next = events.next()) {
            items.add(piece(next, depth + 1));
        }
        return new Piece.Items(items, line(start));
    }

    private Piece fields(Event start, int depth) throws NotYaml {
        List<Field> fields = new ArrayList<>();
        for (Event next = events.next(); next.getEventId() != ID.MappingEnd; next = events.next()) {
            if (!(piece(next, depth + 1) instanceof Text key)) {
                throw new NotYaml(line(next), "A key must be a word.");
            }
            fields.add(new Field(new Text(key.value(), line(next)), piece(events.next(), depth + 1)));
        }
        return new Piece.Fields(fields, line(start));
    }

    private Piece meant(AliasEvent alias) throws NotYaml {
        if (++aliases > MOST_ALIASES) {
            throw new NotYaml(line(alias), "A file has at most " + MOST_ALIASES + " aliases.");
        }
        Piece piece = anchors.get(alias.getAlias().getValue());
        if (piece == null) {
            throw new NotYaml(
                    line(alias), "There is no anchor '&" + alias.getAlias().getValue() + "' before this alias.");
        }
        return piece;
    }

    private static void refuseTag(Event event, Optional<String> tag) throws NotYaml {
        if (tag.isPresent()) {
            throw new NotYaml(line(event), "Tags such as '" + Piece.shown(tag.get()) + "' mean nothing here.");
        }
    }

    private static int line(Event event) {
        return line(event.getStartMark());
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(known -> known.getLine() + 1).orElse(0);
    }
}

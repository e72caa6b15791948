package dev.interlock.declaration;

import dev.interlock.core.DurationText;
import dev.interlock.core.Nearest;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Finding;
import dev.interlock.declaration.Piece.Field;
import dev.interlock.declaration.Piece.Items;
import dev.interlock.declaration.Piece.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A map whose keys are known: hands out what stands under a key, and finds what is wrong with it. */
final class Form {
    static final String NONE = "none";

    private static final int LONGEST_WORD = 65_536;

    private final String what;
    private final int line;
    private final Map<String, Piece> values;
    private final Consumer<Finding> findings;

    private Form(String what, int line, Map<String, Piece> values, Consumer<Finding> findings) {
        this.what = what;
        this.line = line;
        this.values = values;
        this.findings = findings;
    }

    /**
     * Reads a map.
     *
     * @param what it describes, in the middle of a sentence
     * @param line where that is named
     */
    static Form of(String what, int line, Piece piece, List<String> keys, Consumer<Finding> findings) {
        Map<String, Piece> values = new LinkedHashMap<>();
        for (Field field : fields(what, piece, findings)) {
            String key = field.key().value();
            if (keys.contains(key)) {
                values.put(key, field.value());
            } else {
                findings.accept(new Finding(
                        field.key().line(),
                        "Unknown key '" + Piece.shown(key) + "' in " + what + Nearest.hint(key, keys)));
            }
        }
        return new Form(what, line, values, findings);
    }

    /** The entries of a map of any keys, each key once. */
    static List<Field> fields(String what, Piece piece, Consumer<Finding> findings) {
        if (!(piece instanceof Piece.Fields map)) {
            findings.accept(new Finding(piece.line(), capital(what) + " must be a map, not " + piece.kind() + "."));
            return List.of();
        }
        Map<String, Field> first = new LinkedHashMap<>();
        for (Field field : map.fields()) {
            Field before = first.putIfAbsent(field.key().value(), field);
            if (before != null) {
                findings.accept(new Finding(
                        field.key().line(),
                        "Key '%s' is there twice, first on line %d."
                                .formatted(
                                        Piece.shown(field.key().value()),
                                        before.key().line())));
            }
        }
        return List.copyOf(first.values());
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    @Nullable Piece piece(String key) {
        return values.get(key);
    }

    Piece required(String key, Piece otherwise) {
        Piece piece = values.get(key);
        if (piece == null) {
            findings.accept(new Finding(line, "Missing key '" + key + "' in " + what + "."));
            return otherwise;
        }
        return piece;
    }

    boolean isNone(String key) {
        return values.get(key) instanceof Text text && text.value().equals(NONE);
    }

    /** The one word under a key that must be there; null when it is not. */
    @Nullable Word word(String key) {
        Piece piece = required(key, new Text("", line));
        return has(key) ? word(key, piece) : null;
    }

    private @Nullable Word word(String key, Piece piece) {
        if (!(piece instanceof Text text) || text.value().isEmpty()) {
            wrong(key, piece, "a word");
            return null;
        }
        try {
            dev.interlock.core.Text.checkProse("A word", text.value(), LONGEST_WORD);
        } catch (IllegalArgumentException e) {
            add(piece.line(), "'" + key + "' of " + what + ": " + e.getMessage());
            return null;
        }
        return new Word(text.value(), text.line());
    }

    /** The words under a key that must be there, be it a list or one word; null when they are not. */
    @Nullable List<Word> words(String key) {
        Piece piece = required(key, new Text("", line));
        return has(key) ? words(key, piece instanceof Text ? new Items(List.of(piece), piece.line()) : piece) : null;
    }

    /** The words of a list; null when it is none. */
    @Nullable List<Word> words(String key, Piece piece) {
        if (!(piece instanceof Items list)) {
            wrong(key, piece, "a list of words");
            return null;
        }
        List<Word> words = new ArrayList<>();
        for (Piece item : list.items()) {
            Word word = word(key, item);
            if (word == null) {
                return null;
            }
            words.add(word);
        }
        return words;
    }

    @Nullable Duration duration(String key) {
        Piece piece = values.get(key);
        if (piece == null) {
            return null;
        }
        if (!(piece instanceof Text text) || text.value().isEmpty()) {
            wrong(key, piece, "a duration such as 30s, 5m or 1h30m");
            return null;
        }
        try {
            return DurationText.parse(Piece.shown(text.value()));
        } catch (IllegalArgumentException e) {
            findings.accept(new Finding(piece.line(), capital("'" + key + "' of " + what + ": ") + e.getMessage()));
            return null;
        }
    }

    @Nullable Integer number(String key) {
        Piece piece = values.get(key);
        return piece == null ? null : number(key, piece);
    }

    @Nullable Integer number(String key, Piece piece) {
        try {
            return piece instanceof Text text ? Integer.valueOf(text.value()) : noNumber(key, piece);
        } catch (NumberFormatException e) {
            return noNumber(key, piece);
        }
    }

    private @Nullable Integer noNumber(String key, Piece piece) {
        wrong(key, piece, "a whole number");
        return null;
    }

    /** One of a few words; null when none is given, or another. */
    @Nullable String choice(String key, List<String> words) {
        Piece piece = values.get(key);
        if (piece == null) {
            return null;
        }
        if (piece instanceof Text text && words.contains(text.value())) {
            return text.value();
        }
        String hint = piece instanceof Text text ? Nearest.hint(text.value(), words) : ".";
        findings.accept(new Finding(
                piece.line(),
                "'%s' of %s takes %s, not %s%s".formatted(key, what, String.join(" or ", words), piece.kind(), hint)));
        return null;
    }

    /** A value with this key put in; without it when the key is not given, or when that is out of bounds. */
    <T> T with(String key, T value, UnaryOperator<T> change) {
        Piece piece = values.get(key);
        if (piece == null) {
            return value;
        }
        try {
            return change.apply(value);
        } catch (IllegalArgumentException e) {
            findings.accept(new Finding(piece.line(), "'" + key + "' of " + what + ": " + e.getMessage()));
            return value;
        }
    }

    void wrong(String key, Piece piece, String instead) {
        findings.accept(
                new Finding(piece.line(), "'%s' of %s takes %s, not %s.".formatted(key, what, instead, piece.kind())));
    }

    /** A map below a key. */
    Form form(String key, Piece piece, List<String> keys) {
        return of("'" + key + "' of " + what, piece.line(), piece, keys, findings);
    }

    void add(int where, String sentence) {
        findings.accept(new Finding(where, sentence));
    }
}

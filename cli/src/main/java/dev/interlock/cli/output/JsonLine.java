package dev.interlock.cli.output;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One object on one line of JSON, as far as {@link Data} writes it: texts, whole numbers, truths, nothing, and lists of
 * texts.
 */
public final class JsonLine {
    private final String text;
    private int at;

    private JsonLine(String text) {
        this.text = text;
    }

    /** Writes it, without an end of line. */
    public static String write(Data data) {
        return Json.line(data);
    }

    /**
     * Reads such a line.
     *
     * @throws IllegalArgumentException if it is not one object of that kind
     */
    public static Map<String, @Nullable Object> read(String line) {
        JsonLine reader = new JsonLine(line.strip());
        try {
            Map<String, @Nullable Object> object = reader.object();
            if (reader.at != reader.text.length()) {
                throw reader.unexpected();
            }
            return object;
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("it ends too early", e);
        }
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        expect('{');
        while (!skips('}')) {
            String name = string();
            expect(':');
            object.put(name, value());
            if (!skips(',') && text.charAt(at) != '}') {
                throw unexpected();
            }
        }
        return object;
    }

    private @Nullable Object value() {
        char first = text.charAt(at);
        if (first == '"') {
            return string();
        }
        if (first == '[') {
            return list();
        }
        int end = at;
        while (",}]".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String word = text.substring(at, end);
        at = end;
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> Long.valueOf(word);
        };
    }

    private List<String> list() {
        List<String> list = new ArrayList<>();
        expect('[');
        while (!skips(']')) {
            list.add(string());
            if (!skips(',') && text.charAt(at) != ']') {
                throw unexpected();
            }
        }
        return list;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        expect('"');
        while (!skips('"')) {
            char next = text.charAt(at++);
            string.append(next == '\\' ? escaped() : next);
        }
        return string.toString();
    }

    private char escaped() {
        char kind = text.charAt(at++);
        return switch (kind) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> kind;
            case 'u' -> unit();
            default -> throw unexpected();
        };
    }

    private char unit() {
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private boolean skips(char expected) {
        if (text.charAt(at) != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char expected) {
        if (!skips(expected)) {
            throw unexpected();
        }
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("it is not understood at character " + (at + 1));
    }
}

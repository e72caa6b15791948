package dev.interlock.postgres;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the JSON that the server writes, which is always well formed. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> object(String json) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(new JsonReader(json).value());
    }

    /** The objects of an array. */
    @SuppressWarnings("unchecked")
    static List<Map<String, @Nullable Object>> objects(String json) {
        return json.equals("[]")
                ? List.of()
                : (List<Map<String, @Nullable Object>>) Objects.requireNonNull(new JsonReader(json).value());
    }

    /** An object whose values are all strings. */
    static Map<String, String> strings(String json) {
        if (json.equals("{}")) {
            return Map.of();
        }
        Map<String, String> strings = new LinkedHashMap<>();
        object(json).forEach((name, value) -> strings.put(name, String.valueOf(value)));
        return strings;
    }

    private @Nullable Object value() {
        return switch (next()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, @Nullable Object> map() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        while (next() != '}') {
            String name = string();
            next();
            at++; // the colon
            map.put(name, value());
            skipComma();
        }
        at++;
        return map;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        while (next() != ']') {
            list.add(value());
            skipComma();
        }
        at++;
        return list;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        for (char c; (c = text.charAt(at++)) != '"'; ) {
            out.append(c == '\\' ? escaped() : c);
        }
        return out.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> c;
        };
    }

    /** A whole number or null; nothing else is kept. */
    private @Nullable Object word() {
        int from = at;
        while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return word.equals("null") ? null : Long.valueOf(word);
    }

    private void skipComma() {
        if (next() == ',') {
            at++;
        }
    }

    private char next() {
        while (text.charAt(at) == ' ') {
            at++;
        }
        return text.charAt(at);
    }
}

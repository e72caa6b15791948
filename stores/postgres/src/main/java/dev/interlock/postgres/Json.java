package dev.interlock.postgres;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All the JSON this store writes, which does not warrant a library in every service. */
final class Json {
    private Json() {}

    static String object(Map<String, String> fields) {
        return write(fields);
    }

    /** Maps, collections, strings and numbers; what is null is left out of a map. */
    static String write(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .filter(field -> field.getValue() != null)
                        .map(field -> string(String.valueOf(field.getKey())) + ":" + write(field.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case Collection<?> all -> all.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            default -> string(value.toString());
        };
    }

    private static String string(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}

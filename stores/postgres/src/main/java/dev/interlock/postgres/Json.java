package dev.interlock.postgres;

import java.util.Map;
import java.util.stream.Collectors;

/** A flat object of strings; all the JSON this store writes, which does not warrant a library in every service. */
final class Json {
    private Json() {}

    static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> string(field.getKey()) + ":" + string(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String string(String value) {
        StringBuilder out = new StringBuilder("\"");
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

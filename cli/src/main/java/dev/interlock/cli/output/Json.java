package dev.interlock.cli.output;

import dev.interlock.cli.text.Printable;
import java.util.List;

/** Writes JSON, indented. Characters that a terminal could obey are escaped, so that it is safe to look at. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String write(Data data) {
        Json json = new Json();
        json.value(data, 0);
        return json.out.append('\n').toString();
    }

    /** All on one line, without an end of line. */
    static String line(Data data) {
        Json json = new Json();
        json.compact(data);
        return json.out.toString();
    }

    private void compact(Data data) {
        switch (data) {
            case Data.Items(List<? extends Data> items) -> {
                String separator = "[";
                for (Data item : items) {
                    out.append(separator);
                    compact(item);
                    separator = ",";
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
            case Data.Fields fields -> {
                String separator = "{";
                for (Data.Field field : fields.fields()) {
                    out.append(separator);
                    string(out, field.name());
                    out.append(':');
                    compact(field.value());
                    separator = ",";
                }
                out.append(fields.fields().isEmpty() ? "{}" : "}");
            }
            default -> value(data, 0);
        }
    }

    private void value(Data data, int depth) {
        switch (data) {
            case Data.Text(String text) -> string(out, text);
            case Data.Numeral(var number) -> out.append(number.toPlainString());
            case Data.Truth(boolean truth) -> out.append(truth);
            case Data.Nothing nothing -> out.append("null");
            case Data.Items(List<? extends Data> items) -> items(items, depth);
            case Data.Fields fields -> fields(fields.fields(), depth);
        }
    }

    private void items(List<? extends Data> items, int depth) {
        if (items.isEmpty()) {
            out.append("[]");
            return;
        }
        String separator = "[";
        for (Data item : items) {
            newLine(separator, depth + 1);
            value(item, depth + 1);
            separator = ",";
        }
        newLine("", depth);
        out.append(']');
    }

    private void fields(List<Data.Field> fields, int depth) {
        if (fields.isEmpty()) {
            out.append("{}");
            return;
        }
        String separator = "{";
        for (Data.Field field : fields) {
            newLine(separator, depth + 1);
            string(out, field.name());
            out.append(": ");
            value(field.value(), depth + 1);
            separator = ",";
        }
        newLine("", depth);
        out.append('}');
    }

    private void newLine(String before, int depth) {
        out.append(before).append('\n').repeat(' ', depth * 2);
    }

    /** A quoted string, which is as valid in YAML as it is in JSON. */
    static void string(StringBuilder out, String text) {
        out.append('"');
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            if (point == '"' || point == '\\') {
                out.append('\\').append((char) point);
            } else if (point == '\n') {
                out.append("\\n");
            } else if (point == '\t') {
                out.append("\\t");
            } else if (Printable.isUnsafe(point)) {
                for (char unit : Character.toChars(point)) {
                    out.append("\\u");
                    for (int shift = 12; shift >= 0; shift -= 4) {
                        out.append(Character.forDigit(unit >> shift & 0xF, 16));
                    }
                }
            } else {
                out.appendCodePoint(point);
            }
            at += Character.charCount(point);
        }
        out.append('"');
    }
}

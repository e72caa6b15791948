package dev.interlock.cli.output;

import java.util.List;

/**
 * Writes YAML in block style. A string goes without quotes only when no reader of whatever version could take it for
 * anything else.
 */
final class Yaml {
    private static final List<String> WORDS = List.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

    private final StringBuilder out = new StringBuilder();

    private Yaml() {}

    static String write(Data data) {
        Yaml yaml = new Yaml();
        yaml.value(data, 0, false);
        return yaml.out.toString();
    }

    /** @param inLine whether something of this value's line has been written already */
    private void value(Data data, int depth, boolean inLine) {
        switch (data) {
            case Data.Text(String text) -> {
                string(text);
                out.append('\n');
            }
            case Data.Numeral(var number) -> out.append(number.toPlainString()).append('\n');
            case Data.Truth(boolean truth) -> out.append(truth).append('\n');
            case Data.Nothing nothing -> out.append("null\n");
            case Data.Items(List<? extends Data> items) -> items(items, depth, inLine);
            case Data.Fields fields -> fields(fields.fields(), depth, inLine);
        }
    }

    private void items(List<? extends Data> items, int depth, boolean inLine) {
        if (items.isEmpty()) {
            out.append("[]\n");
            return;
        }
        boolean first = inLine;
        for (Data item : items) {
            indent(first, depth);
            out.append("- ");
            value(item, depth + 1, true);
            first = false;
        }
    }

    private void fields(List<Data.Field> fields, int depth, boolean inLine) {
        if (fields.isEmpty()) {
            out.append("{}\n");
            return;
        }
        boolean first = inLine;
        for (Data.Field field : fields) {
            indent(first, depth);
            out.append(field.name()).append(':');
            if (isBlock(field.value())) {
                out.append('\n');
                value(field.value(), depth + 1, false);
            } else {
                out.append(' ');
                value(field.value(), depth, false);
            }
            first = false;
        }
    }

    private static boolean isBlock(Data data) {
        return switch (data) {
            case Data.Items(List<? extends Data> items) -> !items.isEmpty();
            case Data.Fields fields -> !fields.fields().isEmpty();
            case Data.Text text -> false;
            case Data.Numeral number -> false;
            case Data.Truth truth -> false;
            case Data.Nothing nothing -> false;
        };
    }

    private void indent(boolean inLine, int depth) {
        if (!inLine) {
            out.repeat(' ', depth * 2);
        }
    }

    private void string(String text) {
        if (isPlain(text)) {
            out.append(text);
        } else {
            Json.string(out, text);
        }
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || !isLetter(text.charAt(0)) || WORDS.contains(text.toLowerCase(java.util.Locale.ROOT))) {
            return false;
        }
        for (int at = 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (!isLetter(c) && !(c >= '0' && c <= '9') && "/._-@".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}

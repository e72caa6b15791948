package dev.interlock.cli.text;

/**
 * Text of others, made safe to print: whatever could move a cursor, change a colour, forge a line or turn the direction
 * of reading is shown as its number instead.
 */
public final class Printable {
    private Printable() {}

    public static String of(String text) {
        return escape(text, false);
    }

    /** As {@link #of}, for text that has lines of its own. */
    public static String lines(String text) {
        return escape(text, true);
    }

    private static String escape(String text, boolean keepLines) {
        StringBuilder safe = null;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            if (isUnsafe(point) && !(keepLines && point == '\n')) {
                if (safe == null) {
                    safe = new StringBuilder(text.length() + 16).append(text, 0, at);
                }
                safe.append("\\u{").append(Integer.toHexString(point)).append('}');
            } else if (safe != null) {
                safe.appendCodePoint(point);
            }
            at += Character.charCount(point);
        }
        return safe == null ? text : safe.toString();
    }

    /** Whether a terminal could obey this character instead of showing it. */
    public static boolean isUnsafe(int point) {
        if (point >= ' ' && point < 0x7F) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            // The joiners U+200C and U+200D belong to emoji and to several scripts.
            case Character.FORMAT -> point != 0x200C && point != 0x200D && point < 0xE0000;
            default -> false;
        };
    }

    /** How many columns the text takes on a terminal. */
    public static int width(String text) {
        int columns = 0;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            columns += width(point);
            at += Character.charCount(point);
        }
        return columns;
    }

    /** The beginning of the text that fits, with an ellipsis where something is missing. */
    public static String cut(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        int used = 1;
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (used + width(point) > columns) {
                break;
            }
            used += width(point);
            at += Character.charCount(point);
        }
        return text.substring(0, at) + "…";
    }

    private static int width(int point) {
        if (point < 0x300) {
            return 1;
        }
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(point) ? 2 : 1;
        };
    }

    /** East Asian wide characters and emoji, as terminals count them. */
    private static boolean isWide(int point) {
        return (point >= 0x1100 && point <= 0x115F)
                || (point >= 0x2E80 && point <= 0xA4CF && point != 0x303F)
                || (point >= 0xAC00 && point <= 0xD7A3)
                || (point >= 0xF900 && point <= 0xFAFF)
                || (point >= 0xFE30 && point <= 0xFE6F)
                || (point >= 0xFF00 && point <= 0xFF60)
                || (point >= 0xFFE0 && point <= 0xFFE6)
                || (point >= 0x1F300 && point <= 0x1FAFF)
                || (point >= 0x20000 && point <= 0x3FFFD);
    }
}

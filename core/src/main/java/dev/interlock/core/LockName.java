package dev.interlock.core;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock, which is the name of the target it protects: 1 to 512 characters of free text. Names are kept in
 * Unicode normal form C, so that two spellings of one word are one lock.
 */
public record LockName(String value) implements Comparable<LockName> {
    public static final int MAX_LENGTH = 512;

    public LockName {
        value = Normalizer.normalize(value, Normalizer.Form.NFC);
        String fault = faultOf("A lock name", value);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    public static LockName of(String value) {
        return new LockName(value);
    }

    /** What keeps the text from being a name, in one sentence that begins with {@code what}; null when nothing does. */
    public static @Nullable String faultOf(String what, String value) {
        if (value.isBlank()) {
            return what + " must not be empty.";
        }
        int length = value.codePointCount(0, value.length());
        if (length > MAX_LENGTH) {
            return what + " has at most " + MAX_LENGTH + " characters; this one has " + length + ".";
        }
        if (isSpace(value.codePointAt(0)) || isSpace(value.codePointBefore(value.length()))) {
            return what + " must not begin or end with white space.";
        }
        for (int at = 0; at < value.length(); at += Character.charCount(value.codePointAt(at))) {
            int point = value.codePointAt(at);
            if (isUnfit(point)) {
                return "%s must not contain the character U+%04X (at position %d): control characters, line separators, direction overrides and unpaired surrogates are refused."
                        .formatted(what, point, value.codePointCount(0, at) + 1);
            }
        }
        return null;
    }

    private static boolean isSpace(int point) {
        return Character.isWhitespace(point) || Character.isSpaceChar(point);
    }

    /** Whatever cannot be shown or stored as it is, or would make one name look like another. */
    private static boolean isUnfit(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            // The joiners U+200C and U+200D belong to emoji and to several scripts.
            case Character.FORMAT -> point != 0x200C && point != 0x200D && point < 0xE0000;
            default -> false;
        };
    }

    /** Canonical order: by code point, as the stores sort. Sets of locks are taken in this order. */
    @Override
    public int compareTo(LockName other) {
        int at = 0;
        while (at < value.length() && at < other.value.length()) {
            int mine = value.codePointAt(at);
            int theirs = other.value.codePointAt(at);
            if (mine != theirs) {
                return Integer.compare(mine, theirs);
            }
            at += Character.charCount(mine);
        }
        return Integer.compare(value.length(), other.value.length());
    }

    // What a record has by itself is put together when it is first called, which costs every command some milliseconds.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockName name && value.equals(name.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}

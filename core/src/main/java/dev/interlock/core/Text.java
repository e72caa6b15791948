package dev.interlock.core;

import java.util.function.IntPredicate;

/** What people and programs may write beside a lock or an execution. */
public final class Text {
    private Text() {}

    /** Who or what: one line. */
    public static void checkLine(String what, String text, int longest) {
        check(what, text, longest, point -> Character.getType(point) == Character.CONTROL);
    }

    /** What a person has to say: anything that a store can keep. */
    public static void checkProse(String what, String text, int longest) {
        check(what, text, longest, point -> point == 0);
    }

    private static void check(String what, String text, int longest, IntPredicate isUnfit) {
        int length = text.codePointCount(0, text.length());
        if (length > longest) {
            throw new IllegalArgumentException(
                    what + " has at most " + longest + " characters; this one has " + length + ".");
        }
        // A stream would take a command that has just started milliseconds.
        for (int at = 0, point; at < text.length(); at += Character.charCount(point)) {
            point = text.codePointAt(at);
            if (Character.getType(point) == Character.SURROGATE || isUnfit.test(point)) {
                throw new IllegalArgumentException("%s must not contain the character U+%04X.".formatted(what, point));
            }
        }
    }
}

package dev.interlock.core;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 1h30m}, {@code 2d}, {@code PT5M}. */
public final class DurationText {
    private static final String[] UNITS = {"d", "h", "m", "s", "ms"};
    private static final long[] MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong and what would be right
     */
    public static Duration parse(String text) {
        if (text.startsWith("-")) {
            throw new IllegalArgumentException("'" + text + "' is negative; a duration is not.");
        }
        try {
            return text.startsWith("P") || text.startsWith("p") ? iso(text) : spoken(text);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is longer than any duration can be.");
        }
    }

    private static Duration iso(String text) {
        Duration duration;
        try {
            duration = Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw unreadable(text);
        }
        if (duration.isNegative()) {
            throw new IllegalArgumentException("'" + text + "' is negative; a duration is not.");
        }
        return duration;
    }

    /** Numbers with units, the larger unit first, each at most once. */
    private static Duration spoken(String text) {
        long millis = 0;
        int at = 0;
        int nextUnit = 0;
        while (at < text.length()) {
            int digits = skip(text, at, true);
            int letters = skip(text, digits, false);
            if (digits == at) {
                throw unreadable(text);
            }
            if (letters == digits) {
                throw new IllegalArgumentException(
                        "'" + text + "' lacks a unit; write for example " + text + "s or " + text + "m.");
            }
            int unit = unit(text.substring(digits, letters));
            if (unit < nextUnit) {
                throw unreadable(text);
            }
            long count = Long.parseLong(text, at, digits, 10);
            millis = Math.addExact(millis, Math.multiplyExact(count, MILLIS[unit]));
            nextUnit = unit + 1;
            at = letters;
        }
        if (text.isEmpty()) {
            throw unreadable(text);
        }
        return Duration.ofMillis(millis);
    }

    private static int skip(String text, int from, boolean digits) {
        int at = from;
        while (at < text.length() && (text.charAt(at) >= '0' && text.charAt(at) <= '9') == digits) {
            at++;
        }
        return at;
    }

    private static int unit(String word) {
        for (int i = 0; i < UNITS.length; i++) {
            if (UNITS[i].equals(word)) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a duration; write for example 500ms, 30s, 10m, 1h30m or 2d.");
    }

    /** The two largest units, which is what a person wants to know; {@link #parse} reads it back. */
    public static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 0) {
            return "-" + show(duration.negated());
        }
        if (millis < 1_000) {
            return millis == 0 ? "0s" : millis + "ms";
        }
        StringBuilder shown = new StringBuilder();
        int parts = 0;
        for (int i = 0; i < UNITS.length - 1 && parts < 2; i++) {
            long count = millis / MILLIS[i];
            millis %= MILLIS[i];
            if (count > 0) {
                shown.append(count).append(UNITS[i]);
            }
            if (!shown.isEmpty()) {
                parts++;
            }
        }
        return shown.toString();
    }
}

package dev.interlock.cli;

import org.jspecify.annotations.Nullable;

/**
 * What {@code doctor} found out about one thing.
 *
 * @param advice what to do about it; null when there is nothing to do
 */
public record Finding(
        Level level, String check, String text, @Nullable String advice) {
    public enum Level {
        OK,
        WARN,
        FAIL;

        String word() {
            return switch (this) {
                case OK -> "ok";
                case WARN -> "warn";
                case FAIL -> "fail";
            };
        }
    }

    public static Finding ok(String check, String text) {
        return new Finding(Level.OK, check, text, null);
    }

    public static Finding warn(String check, String text, String advice) {
        return new Finding(Level.WARN, check, text, advice);
    }

    public static Finding fail(String check, String text, String advice) {
        return new Finding(Level.FAIL, check, text, advice);
    }
}

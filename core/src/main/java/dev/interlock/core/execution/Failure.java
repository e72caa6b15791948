package dev.interlock.core.execution;

import dev.interlock.core.Text;

/**
 * What went wrong.
 *
 * @param code a stable word for programs, such as WORKER_TIMEOUT
 * @param message for people; whatever a store could not keep is replaced or cut, because a failure that cannot be
 *     recorded would leave its execution running for ever
 */
public record Failure(FailureKind kind, RetryClass retryClass, String code, String message) {
    public static final String WORKER_TIMEOUT = "WORKER_TIMEOUT";
    public static final String LOCK_STATE_LOST = "LOCK_STATE_LOST";
    public static final String COMMAND_NOT_FOUND = "COMMAND_NOT_FOUND";
    public static final String COMMAND_NOT_EXECUTABLE = "COMMAND_NOT_EXECUTABLE";
    public static final String CANCELLED = "CANCELLED";
    public static final String TIMEOUT = "TIMEOUT";
    /** Its worker was told to leave before the work began; it counts for nothing. */
    public static final String HANDED_BACK = "HANDED_BACK";

    private static final int MAX_CODE = 128;
    private static final int MAX_MESSAGE = 4000;

    public Failure {
        if (code.isBlank()) {
            throw new IllegalArgumentException("A failure needs a code.");
        }
        Text.checkLine("The code of a failure", code, MAX_CODE);
        message = storable(message);
    }

    private static String storable(String text) {
        StringBuilder kept = new StringBuilder();
        text.codePoints()
                .limit(MAX_MESSAGE)
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? 0xFFFD : point)
                .forEach(kept::appendCodePoint);
        return text.codePointCount(0, text.length()) > MAX_MESSAGE ? kept + "…" : kept.toString();
    }
}

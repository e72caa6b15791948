package dev.interlock.core.execution;

import dev.interlock.core.LockName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What makes a request malformed. Parameters reach commands as environment variables and pipelines as parameters, so
 * they keep to what both can carry.
 */
final class RequestFaults {
    static final int MAX_WORKFLOW = 128;
    static final int MAX_PARAMETERS = 256;
    static final int MAX_PARAMETER_NAME = 128;
    static final int MAX_PARAMETER_BYTES = 64 * 1024;
    static final int MAX_BYTES = 256 * 1024;

    private static final String RESERVED = "INTERLOCK_";
    private static final int SHOWN = 40;

    private final List<String> found = new ArrayList<>();

    private RequestFaults() {}

    static List<String> of(Request request) {
        RequestFaults faults = new RequestFaults();
        String target = LockName.faultOf("A target", request.target());
        if (target != null) {
            faults.found.add(target);
        }
        String workflow = workflow(request.workflow());
        if (workflow != null) {
            faults.found.add(workflow);
        }
        faults.checkParameters(request.parameters());
        return List.copyOf(faults.found);
    }

    static @Nullable String workflow(String name) {
        if (name.isBlank()) {
            return "A workflow must not be empty.";
        }
        if (length(name) > MAX_WORKFLOW) {
            return "A workflow has at most " + MAX_WORKFLOW + " characters; this one has " + length(name) + ".";
        }
        boolean plain = Character.isLetterOrDigit(name.codePointAt(0))
                && name.codePoints()
                        .allMatch(point -> Character.isLetterOrDigit(point) || "._-/:@".indexOf(point) >= 0);
        return plain
                ? null
                : "A workflow begins with a letter or digit and goes on with letters, digits and . _ - / : @; "
                        + shown(name) + " does not.";
    }

    private void checkParameters(Map<String, String> parameters) {
        if (parameters.size() > MAX_PARAMETERS) {
            found.add("There are at most " + MAX_PARAMETERS + " parameters; these are " + parameters.size() + ".");
        }
        long bytes = 0;
        // Sorted, so that the same request is always told the same.
        for (Map.Entry<String, String> parameter : new TreeMap<>(parameters).entrySet()) {
            checkName(parameter.getKey());
            checkValue(parameter.getKey(), parameter.getValue());
            bytes += bytes(parameter.getKey()) + bytes(parameter.getValue());
        }
        if (bytes > MAX_BYTES) {
            found.add("Parameters have at most " + MAX_BYTES + " bytes together; these have " + bytes + ".");
        }
    }

    private void checkName(String name) {
        boolean plain = !name.isEmpty() && !isDigit(name.charAt(0)) && name.charAt(0) != '-' && name.charAt(0) != '.';
        if (name.length() > MAX_PARAMETER_NAME) {
            found.add("The name of a parameter has at most " + MAX_PARAMETER_NAME + " characters; " + shown(name)
                    + " has " + length(name) + ".");
        } else if (!plain || !name.chars().allMatch(RequestFaults::isNamePart)) {
            found.add(
                    "The name of a parameter begins with a letter or _ and goes on with letters, digits and _ . - of ASCII; "
                            + shown(name) + " does not.");
        } else if (name.startsWith(RESERVED)) {
            found.add("Names of parameters that begin with " + RESERVED + " are reserved; " + shown(name) + " does.");
        }
    }

    private void checkValue(String name, String value) {
        if (bytes(value) > MAX_PARAMETER_BYTES) {
            found.add("A parameter has at most " + MAX_PARAMETER_BYTES + " bytes; " + shown(name) + " has "
                    + bytes(value) + ".");
        }
        value.codePoints()
                .filter(RequestFaults::isUnfit)
                .findFirst()
                .ifPresent(point ->
                        found.add("Parameter %s must not contain the character U+%04X.".formatted(shown(name), point)));
    }

    /** Lines and tabs belong to text; other control characters only do harm. */
    private static boolean isUnfit(int point) {
        return switch (Character.getType(point)) {
            case Character.SURROGATE -> true;
            case Character.CONTROL -> point != '\n' && point != '\t';
            default -> false;
        };
    }

    private static boolean isNamePart(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '.' || c == '-';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** What is malformed may hold anything; in a sentence it must not move the cursor or fill the screen. */
    private static String shown(String text) {
        StringBuilder safe = new StringBuilder("'");
        text.codePoints().limit(SHOWN).forEach(point -> {
            if (isUnfit(point) || Character.isISOControl(point) || Character.getType(point) == Character.FORMAT) {
                safe.append("U+%04X".formatted(point));
            } else {
                safe.appendCodePoint(point);
            }
        });
        return safe.append(length(text) > SHOWN ? "…'" : "'").toString();
    }
}

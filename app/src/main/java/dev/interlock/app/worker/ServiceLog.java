package dev.interlock.app.worker;

import java.util.Map;
import java.util.Set;

/** What a service says about itself, on the standard error: as text, or as JSON with {@code INTERLOCK_LOG=json}. */
public final class ServiceLog {
    static final String VARIABLE = "INTERLOCK_LOG";
    private static final Set<String> FORMATS = Set.of("text", "json");

    private ServiceLog() {}

    /**
     * Begins to log; to be called before anything else of the service, whose loggers stay what they are once made.
     *
     * @throws IllegalArgumentException if the environment asks for a format that there is not
     */
    public static void begin(Map<String, String> environment) {
        String format = environment.getOrDefault(VARIABLE, "");
        if (!format.isEmpty() && !FORMATS.contains(format)) {
            throw new IllegalArgumentException(VARIABLE + " is text or json, not '" + format + "'.");
        }
        System.setProperty("interlock.log", format.isEmpty() ? "text" : format);
        // Commands, which say everything themselves, log nothing; theirs is the other provider.
        System.setProperty("slf4j.provider", "ch.qos.logback.classic.spi.LogbackServiceProvider");
        System.setProperty("slf4j.internal.verbosity", "WARN"); // it would announce that choice
    }
}

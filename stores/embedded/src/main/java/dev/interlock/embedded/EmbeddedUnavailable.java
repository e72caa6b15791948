package dev.interlock.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded store cannot be had. The message is one sentence for the user: what, where, and what to do next. */
public final class EmbeddedUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedUnavailable(String message) {
        super(message);
    }

    EmbeddedUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

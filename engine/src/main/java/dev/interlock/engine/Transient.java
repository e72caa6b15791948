package dev.interlock.engine;

import dev.interlock.core.execution.RetryClass;

/** The work failed for a reason that may pass: throttling, a timeout, something out of reach. */
public final class Transient extends WorkFailed {
    /** @param code a stable word for programs, such as THROTTLED */
    public Transient(String code, String message) {
        super(RetryClass.TRANSIENT, code, message);
    }

    public Transient(String code, String message, Throwable cause) {
        super(RetryClass.TRANSIENT, code, message);
        initCause(cause);
    }
}

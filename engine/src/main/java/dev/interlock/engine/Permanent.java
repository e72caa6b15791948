package dev.interlock.engine;

import dev.interlock.core.execution.RetryClass;

/** The work failed and would fail the same way again: bad configuration, quota, credentials. */
public final class Permanent extends WorkFailed {
    /** @param code a stable word for programs, such as QUOTA_EXCEEDED */
    public Permanent(String code, String message) {
        super(RetryClass.PERMANENT, code, message);
    }

    public Permanent(String code, String message, Throwable cause) {
        super(RetryClass.PERMANENT, code, message);
        initCause(cause);
    }
}

package dev.interlock.engine;

import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.RetryClass;

/** How a handler says that its work has failed, and whether that may pass. */
public abstract sealed class WorkFailed extends Exception permits Transient, Permanent {
    private final RetryClass retryClass;
    private final String code;

    WorkFailed(RetryClass retryClass, String code, String message) {
        super(message);
        this.retryClass = retryClass;
        this.code = code;
        // A code that no store could keep is refused here, where whoever wrote it sees it.
        failure(FailureKind.STARTED);
    }

    public String code() {
        return code;
    }

    final Failure failure(FailureKind kind) {
        String message = getMessage();
        return new Failure(kind, retryClass, code, message == null ? "" : message);
    }
}

package dev.interlock.core.work;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Workflow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An execution whose attempt has begun, with the lock under which it runs.
 *
 * @param workflow as it is declared in the store
 * @param resource already in the state of work in progress; null for a target without a lifecycle
 */
public record Claimed(
        Execution execution,
        Lock lock,
        Workflow workflow,
        @Nullable Resource resource) {
    public Attempt attempt() {
        return Objects.requireNonNull(execution.running());
    }

    public long token() {
        return lock.token();
    }
}

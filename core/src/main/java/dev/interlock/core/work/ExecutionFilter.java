package dev.interlock.core.work;

import dev.interlock.core.execution.Phase;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which executions to list; null means any.
 *
 * @param dead only the dead letters
 */
public record ExecutionFilter(
        Set<Phase> phases,
        @Nullable String target,
        @Nullable String workflow,
        @Nullable String requester,
        boolean dead) {
    public static final ExecutionFilter ALL = new ExecutionFilter(Set.of(Phase.values()), null, null, null, false);

    public ExecutionFilter {
        phases = Set.copyOf(phases);
    }
}

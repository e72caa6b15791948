package dev.interlock.core.admission;

import dev.interlock.core.Lock;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.lifecycle.Resource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands on a target now.
 *
 * @param lock its lock; null when it was never held
 * @param open the executions of the target that have not ended; of those in line the first is enough
 * @param resource null when no lifecycle is declared for it
 * @param namesake the resource that has the name which this one would take by starting; null when nobody has
 */
public record Situation(
        @Nullable Lock lock,
        List<Open> open,
        @Nullable Resource resource,
        @Nullable String namesake) {
    public static final Situation FREE = new Situation(null, List.of(), null);

    public Situation {
        open = List.copyOf(open);
    }

    public Situation(@Nullable Lock lock, List<Open> open, @Nullable Resource resource) {
        this(lock, open, resource, null);
    }

    /** An execution that has not ended. */
    public record Open(String execution, String workflow, String requester, Instant submittedAt, boolean running) {
        public static Open of(Execution execution) {
            return new Open(
                    execution.id(),
                    execution.request().workflow(),
                    execution.request().requester(),
                    execution.submittedAt(),
                    execution.running() != null);
        }
    }

    public Situation withLock(@Nullable Lock seen) {
        return new Situation(seen, open, resource, namesake);
    }

    public Situation withOpen(List<Open> seen) {
        return new Situation(lock, seen, resource, namesake);
    }

    public Situation withResource(@Nullable Resource seen) {
        return new Situation(lock, open, seen, namesake);
    }

    public Situation withNamesake(@Nullable String seen) {
        return new Situation(lock, open, resource, seen);
    }
}

package dev.interlock.core;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which locks to list; null means any. */
public record LockFilter(
        Set<Lock.Status> statuses,
        @Nullable String prefix,
        @Nullable String owner,
        @Nullable String user,
        @Nullable String execution) {
    public static final LockFilter ALL = new LockFilter(Set.of(Lock.Status.values()), null, null, null, null);

    public LockFilter {
        statuses = Set.copyOf(statuses);
    }
}

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
        check("The beginning of the names to list", prefix);
        check("The owner to list", owner);
        check("The user to list", user);
        check("The execution to list", execution);
    }

    private static void check(String what, @Nullable String text) {
        if (text != null) {
            Text.checkLine(what, text, LockName.MAX_LENGTH);
        }
    }
}

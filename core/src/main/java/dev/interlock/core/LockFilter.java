package dev.interlock.core;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

    public boolean accepts(Lock lock) {
        return statuses.contains(lock.status())
                && acceptsName(lock.name().value())
                && isOrAny(owner, lock.holder().owner())
                && isOrAny(user, lock.holder().user())
                && isOrAny(execution, lock.holder().execution());
    }

    /** As far as the name tells: of a record that cannot be read it is all there is. */
    public boolean acceptsName(String name) {
        return prefix == null || name.startsWith(prefix);
    }

    private static boolean isOrAny(@Nullable String wanted, String actual) {
        return wanted == null || wanted.equals(actual);
    }

    /**
     * One page of locks that are there as a whole, in canonical order. It begins after the name of the last lock before
     * it, so that locks may come and go meanwhile.
     */
    public Page<Lock> page(Stream<Lock> sorted, Page.Request page) {
        LockName after = page.after() == null ? null : LockName.of(page.after());
        List<Lock> rest = sorted.filter(this::accepts)
                .filter(lock -> after == null || lock.name().compareTo(after) > 0)
                .limit(page.size() + 1L)
                .toList();
        return rest.size() <= page.size()
                ? new Page<>(rest, null)
                : new Page<>(
                        rest.subList(0, page.size()),
                        rest.get(page.size() - 1).name().value());
    }
}

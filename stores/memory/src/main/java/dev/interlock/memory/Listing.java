package dev.interlock.memory;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pages of what is remembered. */
final class Listing {
    private Listing() {}

    /** A page begins after the name of the last lock before it, so that locks may come and go meanwhile. */
    static Page<Lock> locks(Stream<Lock> all, LockFilter filter, Page.Request page) {
        LockName after = page.after() == null ? null : LockName.of(page.after());
        List<Lock> rest = all.filter(lock -> matches(lock, filter))
                .filter(lock -> after == null || lock.name().compareTo(after) > 0)
                .limit(page.size() + 1L)
                .toList();
        return rest.size() <= page.size()
                ? new Page<>(rest, null)
                : new Page<>(
                        rest.subList(0, page.size()),
                        rest.get(page.size() - 1).name().value());
    }

    private static boolean matches(Lock lock, LockFilter filter) {
        return filter.statuses().contains(lock.status())
                && (filter.prefix() == null || lock.name().value().startsWith(filter.prefix()))
                && isOrAny(filter.owner(), lock.holder().owner())
                && isOrAny(filter.user(), lock.holder().user())
                && isOrAny(filter.execution(), lock.holder().execution());
    }

    private static boolean isOrAny(@Nullable String wanted, String actual) {
        return wanted == null || wanted.equals(actual);
    }

    /** A page begins with the number of entries that are older than the page before it. */
    static Page<Past> history(List<Past> newestFirst, Page.Request page) {
        int from = page.after() == null ? 0 : newestFirst.size() - Integer.parseInt(page.after());
        int to = Math.min(newestFirst.size(), from + page.size());
        return new Page<>(
                newestFirst.subList(from, to),
                to == newestFirst.size() ? null : Integer.toString(newestFirst.size() - to));
    }
}

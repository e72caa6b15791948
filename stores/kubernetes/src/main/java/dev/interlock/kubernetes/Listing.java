package dev.interlock.kubernetes;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pages of what was read as a whole. */
final class Listing {
    private Listing() {}

    /** A page begins after the name of the last lock before it, so that locks may come and go meanwhile. */
    static Page<Lock> locks(Stream<Lock> sorted, LockFilter filter, Page.Request page) {
        LockName after = page.after() == null ? null : LockName.of(page.after());
        List<Lock> rest = sorted.filter(lock -> matches(lock, filter))
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

    /** A page begins below the number of the last entry before it. */
    static Page<Past> history(List<Gone> newestFirst, Page.Request page) {
        long below = page.after() == null ? Long.MAX_VALUE : Long.parseLong(page.after());
        List<Gone> rest = newestFirst.stream()
                .filter(gone -> gone.number() < below)
                .limit(page.size() + 1L)
                .toList();
        boolean more = rest.size() > page.size();
        List<Gone> shown = more ? rest.subList(0, page.size()) : rest;
        return new Page<>(
                shown.stream().map(Gone::past).toList(),
                more ? Long.toString(shown.getLast().number()) : null);
    }
}

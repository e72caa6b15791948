package dev.interlock.memory;

import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.util.List;

/** Pages of history that is remembered. */
final class Listing {
    private Listing() {}

    /** A page begins with the number of entries that are older than the page before it. */
    static Page<Past> history(List<Past> newestFirst, Page.Request page) {
        int from = page.after() == null ? 0 : newestFirst.size() - Integer.parseInt(page.after());
        int to = Math.min(newestFirst.size(), from + page.size());
        return new Page<>(
                newestFirst.subList(from, to),
                to == newestFirst.size() ? null : Integer.toString(newestFirst.size() - to));
    }
}

package dev.interlock.kubernetes;

import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.util.List;

/** Pages of history that was read as a whole. */
final class Listing {
    private Listing() {}

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

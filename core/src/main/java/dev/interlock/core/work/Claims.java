package dev.interlock.core.work;

import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a question for work.
 *
 * @param started what may run now
 * @param parked how many were found whose target is taken, and now stand in line behind it; for counting
 */
public record Claims(List<Claimed> started, int parked) {
    public static final Claims NONE = new Claims(List.of(), 0);

    public Claims {
        started = List.copyOf(started);
    }

    /** Both of them, in this order. */
    public Claims and(Claims later) {
        List<Claimed> all = new ArrayList<>(started);
        all.addAll(later.started);
        return new Claims(all, parked + later.parked);
    }
}

package dev.interlock.core.janitor;

import java.time.Duration;
import java.util.List;

/** A store that can be kept in order. */
public interface JanitorStore {
    /** What is due now of all that runs, by the store's clock, at most so many of each kind: one statement. */
    Sight look(Patience patience, int most);

    /**
     * What is not seen by looking at what runs: locks and places without anybody behind them, what has lain too long, and
     * whether the audit trail shows what must not be. One statement, dearer than a look.
     *
     * @param back how far back the trail is read
     */
    List<Finding> inspect(Patience patience, Duration back, int most);

    /**
     * Puts one finding right, in one transaction with its audit row. What was seen may be old: everything is looked at
     * again once the rows are ours.
     */
    Deed act(Finding finding, Patience patience);
}

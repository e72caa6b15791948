package dev.interlock.core.audit;

import java.util.List;

/**
 * The trail of a store that keeps one. Reading changes nothing; sealing may be tried by any number of processes at once.
 *
 * <p>A seal covers all events of transactions that had ended when it was made, and had not when the one before was made:
 * so none is missed because its transaction took long, and whoever writes events never waits for a seal.
 */
public interface AuditTrail extends AutoCloseable {
    /** Nothing that is not seen yet will ever stand at or before this position. */
    Position settled();

    /** Events after that position in order, of the present era. */
    Slice read(EventFilter filter, Position after, int most);

    /** The last so many events, the newest last; those of earlier eras only when there are too few of this one. */
    List<Event> latest(EventFilter filter, int most);

    /** Seals the next events, at most so many. */
    Sealing seal(int most);

    /** The whole of it as it is now, to be read at leisure. */
    StillTrail still();

    @Override
    void close();
}

package dev.interlock.core.audit;

import java.util.List;
import java.util.function.Consumer;

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

    /** Seals with a number above this one, in order. */
    List<Seal> seals(long after, int most);

    /** The events that now stand where this seal was made, in order; whether they are the right ones is not asked. */
    List<Event> under(Seal seal);

    /** Hands over the events that are under no seal yet, one by one, in order. */
    void unsealed(Consumer<Event> each);

    @Override
    void close();
}

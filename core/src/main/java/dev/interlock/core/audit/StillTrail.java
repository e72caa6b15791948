package dev.interlock.core.audit;

import java.util.List;
import java.util.function.Consumer;

/**
 * A trail as it is at one moment. What is written, sealed or pruned later is not seen, so that its parts fit together
 * however long it is read.
 */
public interface StillTrail extends AutoCloseable {
    /** Seals with a number above this one, in order. */
    List<Seal> seals(long after, int most);

    /** The events that stand where this seal was made, in order; whether they are the right ones is not asked. */
    List<Event> under(Seal seal);

    /** Hands over the events that are under no seal yet, one by one, in order. */
    void unsealed(Consumer<Event> each);

    /** Lets go of that moment. */
    @Override
    void close();
}

package dev.interlock.core.audit;

import java.util.Comparator;

/**
 * Where an event stands in the trail: the transaction that wrote it, and its own number.
 *
 * @param xid the transaction; 0 is before all of them
 * @param seq unique in the whole trail
 */
public record Position(long xid, long seq) implements Comparable<Position> {
    public static final Position START = new Position(0, 0);

    private static final Comparator<Position> ORDER =
            Comparator.comparingLong(Position::xid).thenComparingLong(Position::seq);

    /** Reads what {@link #toString} wrote. */
    public static Position parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "A position in the trail is two numbers with a colon between them, not '" + text + "'.");
        }
        return new Position(Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }

    @Override
    public int compareTo(Position other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return xid + ":" + seq;
    }
}

package dev.interlock.core.audit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A seal over a stretch of the trail, chained to the one before.
 *
 * @param number from 1, without a gap
 * @param from the stretch begins after this position
 * @param to and ends with this one
 * @param newest the latest end among its events; the epoch of 1970 when there are none
 * @param listed what it seals, in order; null once the events were pruned
 * @param listing hash of what is listed
 * @param contents hash of the events in full
 * @param previous hash of the seal before
 * @param hash of all the rest
 */
public record Seal(
        long number,
        Era era,
        Position from,
        Position to,
        int count,
        Instant newest,
        Instant sealedAt,
        @Nullable List<Listed> listed,
        String listing,
        String contents,
        String previous,
        String hash) {
    /** What comes before the first seal. */
    public static final String NOTHING = "0".repeat(64);

    public Seal {
        listed = listed == null ? null : List.copyOf(listed);
    }

    /**
     * One event under the seal.
     *
     * @param digest the first eight bytes of the event's digest, enough to tell which event was changed
     */
    public record Listed(Position at, long digest) {}

    /**
     * A stretch of the trail in which transactions are numbered by one counter. A copy of the database on another server
     * has another counter, and begins another era.
     *
     * @param firstSeq events of this era are numbered from here, those of all eras before it below
     */
    public record Era(int number, long system, int epoch, long firstSeq) {
        /** Where its own events begin; at or before it stands what earlier eras left without a seal. */
        public Position beginning() {
            return new Position(0, firstSeq - 1);
        }
    }

    Seal with(String newHash) {
        return new Seal(number, era, from, to, count, newest, sealedAt, listed, listing, contents, previous, newHash);
    }

    /** Whether the events under it were pruned. */
    public boolean isPruned() {
        return listed == null;
    }

    /** Whether it covers what earlier eras left without a seal: by number of the event, whatever its transaction. */
    public boolean isOfTheRest() {
        return to.xid() == 0;
    }
}

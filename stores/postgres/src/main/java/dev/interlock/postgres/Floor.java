package dev.interlock.postgres;

import dev.interlock.core.Ports;
import dev.interlock.core.execution.Execution;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where to begin to look for what is ready. What was claimed leaves dead entries at the head of the index until no
 * transaction can see them any more: while somebody has a long one open, every look from the very beginning would walk over
 * all of them; and so would it walk over a long line of those who cannot start. So when that has become slow, or many are
 * taken at a time, looks begin where the last one that found something ended; and what becomes ready before that place is
 * found by the next look from the beginning, which is made whenever not enough was found, and as often as a tenth of the
 * time allows.
 */
final class Floor {
    /** A place in the order in which executions are claimed. */
    record Place(long rank, OffsetDateTime submittedAt, String id) {
        static final Place BEGINNING = new Place(Long.MIN_VALUE, OffsetDateTime.MIN, "");

        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::rank)
                .thenComparing(Place::submittedAt)
                .thenComparing(Place::id);

        /** A row of interlock.moved. */
        static Place of(ResultSet row) throws SQLException {
            return new Place(
                    -row.getLong("priority"), row.getObject("submitted_at", OffsetDateTime.class), row.getString("id"));
        }

        private static Place of(Execution execution) {
            return new Place(
                    -(long) execution.request().priority(),
                    execution.submittedAt().atOffset(ZoneOffset.UTC),
                    execution.id());
        }
    }

    private static final long SLOW_NANOS = 20_000_000;

    /** Whoever takes so many at once has more in hand than is done until the next look from the beginning. */
    private static final int MANY = 64;

    private static final int PART = 10;

    private final Ports.Ticker ticker;
    private Place place = Place.BEGINNING;
    private long until;

    Floor(Ports.Ticker ticker) {
        this.ticker = ticker;
        until = ticker.nanos();
    }

    synchronized Place from() {
        return ticker.nanos() - until < 0 ? place : Place.BEGINNING;
    }

    /** A look from there, begun at that time, has found these. */
    synchronized void found(Place from, Claiming.Found found, long begun) {
        long now = ticker.nanos();
        if (from.equals(Place.BEGINNING)) {
            long took = now - begun;
            until = took < SLOW_NANOS && found.started().size() < MANY ? now : now + PART * took;
        }
        place = Stream.concat(
                        found.started().stream().map(one -> Place.of(one.execution())), found.undecided().stream())
                .max(Place.ORDER)
                .orElse(place);
    }
}

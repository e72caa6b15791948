package dev.interlock.core.work;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much there is of everything, for whoever watches; cheap enough to be asked several times a minute. */
public interface Gauges {
    /** No more are counted of what may be any number: how long a very long line is does not change what is to be done. */
    int MOST = 10_000;

    Levels levels();

    /**
     * How many there are of one kind.
     *
     * @param oldest since when the oldest of those that were counted is there; null when there is none
     */
    record Level(long count, @Nullable Instant oldest) {
        public static final Level NONE = new Level(0, null);
    }

    /**
     * Everything, at one instant.
     *
     * @param seenAt the store's clock
     * @param pending executions that wait, for whatever; at most {@link #MOST}
     * @param ready those of them that a worker could claim now; at most {@link #MOST}
     * @param dead dead letters; at most {@link #MOST}
     * @param stale attempts whose lease is over and that nobody has put right yet, by the end of the lease
     * @param running attempts that run, by workflow
     */
    record Levels(Instant seenAt, Level pending, Level ready, Level dead, Level stale, Map<String, Level> running) {
        public Levels {
            running = Map.copyOf(running);
        }
    }
}

package dev.interlock.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param next where the next one begins; null when this is the last
 * @param faults a sentence for each record that is there and cannot be read, so that it hides none of the others
 */
public record Page<T>(List<T> items, @Nullable String next, List<String> faults) {
    public static final int MAX_SIZE = 1000;

    public Page {
        items = List.copyOf(items);
        faults = List.copyOf(faults);
    }

    /** A page on which everything could be read. */
    public Page(List<T> items, @Nullable String next) {
        this(items, next, List.of());
    }

    public Page<T> with(List<String> found) {
        return new Page<>(items, next, found);
    }

    /** Which page: the first when {@code after} is null. */
    public record Request(@Nullable String after, int size) {
        public static final Request FIRST = new Request(null, 100);

        public Request {
            if (size < 1 || size > MAX_SIZE) {
                throw new IllegalArgumentException("A page has 1 to " + MAX_SIZE + " rows, not " + size + ".");
            }
        }
    }
}

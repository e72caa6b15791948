package dev.interlock.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a listing, and where the next one begins; null when this is the last. */
public record Page<T>(List<T> items, @Nullable String next) {
    public static final int MAX_SIZE = 1000;

    public Page {
        items = List.copyOf(items);
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

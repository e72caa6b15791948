package dev.interlock.dynamodb;

import org.jspecify.annotations.Nullable;

/** The answer to a conditional write. */
sealed interface Write {
    /**
     * It was written.
     *
     * @param item as it is now; only where it was asked for
     */
    record Done(@Nullable Item item) implements Write {}

    /**
     * The condition did not hold, and this is the item that it did not hold for: a conflict names its holder without a
     * further read.
     *
     * @param at which of several writes it was
     */
    record Refused(@Nullable Item current, int at) implements Write {}
}

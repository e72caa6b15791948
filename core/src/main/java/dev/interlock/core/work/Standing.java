package dev.interlock.core.work;

import dev.interlock.core.execution.Execution;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An execution and what surrounds it at the moment.
 *
 * @param position its place in the line of its target, from 1; 0 when it does not wait in line
 * @param progress what the running attempt last said about itself
 * @param cancelledBy who wants the running attempt stopped
 * @param deadSince since when it is among the dead letters
 * @param seenAt the store's clock when it gave this answer
 */
public record Standing(
        Execution execution,
        int position,
        @Nullable String progress,
        @Nullable String cancelledBy,
        @Nullable Instant deadSince,
        Instant seenAt) {}

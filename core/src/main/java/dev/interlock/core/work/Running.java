package dev.interlock.core.work;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that runs, as the store sees it.
 *
 * @param cancelledBy who wants it stopped; null when nobody does
 */
public record Running(Claimed claimed, @Nullable String cancelledBy) {}

package dev.interlock.core;

import org.jspecify.annotations.Nullable;

/** The grant is not the caller's any more; final. Nothing was changed. */
public record Lost(Loss why, @Nullable Lock current) implements Renewal, Release {}

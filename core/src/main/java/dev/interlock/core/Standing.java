package dev.interlock.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a waiter stands.
 *
 * @param position 1 for the head of the queue
 * @param current the lock as it is held now
 * @param estimate what the last tenures of this lock suggest; null when there is nothing to go by
 */
public record Standing(int position, Lock current, @Nullable Duration estimate) {}

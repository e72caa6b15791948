package dev.interlock.sqs;

/**
 * How much lies in a queue and in its dead letters, for metrics.
 *
 * @param waiting about how many wake-ups
 */
public record QueueLevels(int waiting, DeadLetters dead) {}

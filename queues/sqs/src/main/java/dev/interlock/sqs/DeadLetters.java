package dev.interlock.sqs;

import java.time.Duration;

/**
 * What lies in the dead-letter queue, for a metric and an alert.
 *
 * @param count about how many
 * @param oldest since when the oldest that was looked at was sent
 */
public record DeadLetters(String queue, int count, Duration oldest) {
    /** A finding for a person, in one sentence. */
    public String sentence() {
        return count == 0
                ? "No dead wake-ups lie in '" + queue + "'."
                : count + (count == 1 ? " message lies" : " messages lie") + " in '" + queue
                        + "', the oldest for " + oldest.toMinutes()
                        + " min, of no execution in this store. Look at who else sends to the queue, then purge it.";
    }
}

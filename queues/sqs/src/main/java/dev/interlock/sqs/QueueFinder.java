package dev.interlock.sqs;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Finds the queue for all parts of a transport, again after one of them could not use it. It is looked for by one at a
 * time, and what came of it is told before the next may look: otherwise whoever was told late that it is missing would
 * say so after another has found it.
 */
final class QueueFinder {
    private static final String PART = "queue";

    private final SqsClient client;
    private final String name;
    private final Health health;
    private @Nullable Queues found;

    QueueFinder(SqsClient client, String name, Health health) {
        this.client = client;
        this.name = name;
        this.health = health;
    }

    /** Null while the queue cannot be used, for reasons that were told. */
    synchronized @Nullable Queues find() {
        if (found == null) {
            try {
                found = Queues.find(client, name);
                health.well(PART);
            } catch (RuntimeException e) {
                health.trouble(PART, e);
            }
        }
        return found;
    }

    /** A part could not use it. Whether that is news: another may have given up these queues already, or found new ones. */
    synchronized boolean failed(String part, Queues with, RuntimeException e) {
        if (!with.equals(found)) {
            return false;
        }
        found = null; // it may have been made anew
        health.trouble(part, e);
        return true;
    }
}

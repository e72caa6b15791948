package dev.interlock.core;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How to ask for a lock.
 *
 * @param lease the lease's duration; null for the default, whose lease record all such locks of the process share
 * @param maxWait how long to wait; zero to be refused at once
 * @param queueLimit how many may stand in the queue, this request among them
 * @param execution what the lock is held for; null for a new, random one
 * @param onQueued told when the request has taken its place in the queue
 */
public record Options(
        @Nullable Duration lease,
        Duration maxWait,
        int queueLimit,
        Terms terms,
        @Nullable String execution,
        int attempt,
        Consumer<Entry.Queued> onQueued) {
    private static final Options REFUSING =
            new Options(null, Duration.ZERO, Integer.MAX_VALUE, Terms.PLAIN, null, 1, queued -> {});

    public Options {
        if (maxWait.isNegative() || maxWait.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("The wait must be between zero and 366 days, not " + maxWait + ".");
        }
        if (queueLimit < 0) {
            throw new IllegalArgumentException("The queue limit must not be negative.");
        }
    }

    /** A busy lock is refused at once. */
    public static Options refusing() {
        return REFUSING;
    }

    /** A busy lock is waited for, first come first served. */
    public static Options waiting(Duration atMost) {
        return REFUSING.withWait(atMost);
    }

    public Options withWait(Duration atMost) {
        return new Options(lease, atMost, queueLimit, terms, execution, attempt, onQueued);
    }

    public Options withLease(Duration duration) {
        return new Options(duration, maxWait, queueLimit, terms, execution, attempt, onQueued);
    }

    public Options withTerms(Terms newTerms) {
        return new Options(lease, maxWait, queueLimit, newTerms, execution, attempt, onQueued);
    }

    public Options withQueueLimit(int limit) {
        return new Options(lease, maxWait, limit, terms, execution, attempt, onQueued);
    }

    public Options forExecution(String id, int attemptNumber) {
        return new Options(lease, maxWait, queueLimit, terms, id, attemptNumber, onQueued);
    }

    public Options tellingQueued(Consumer<Entry.Queued> listener) {
        return new Options(lease, maxWait, queueLimit, terms, execution, attempt, listener);
    }
}

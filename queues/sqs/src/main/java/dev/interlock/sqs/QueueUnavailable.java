package dev.interlock.sqs;

/** The queue cannot be used: what happened and what to do, in one sentence. Work is found by looking meanwhile. */
public final class QueueUnavailable extends RuntimeException {
    QueueUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    QueueUnavailable(String sentence) {
        super(sentence);
    }
}

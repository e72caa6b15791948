package dev.interlock.sqs;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.FIFO_QUEUE;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.REDRIVE_POLICY;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue and its dead letters, as they must be to be used.
 *
 * @param wakeUps what workers listen to
 * @param dead where SQS puts what was received three times and never deleted
 */
record Queues(SqsQueue wakeUps, SqsQueue dead) {
    private static final Pattern DEAD_ARN = Pattern.compile("\"deadLetterTargetArn\"\\s*:\\s*\"[^\"]*:([^\":]+)\"");

    private static final Pattern RECEIVES = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?([0-9]{1,4})");

    /** Finds the queue, and refuses one that is not made for this. */
    static Queues find(SqsClient client, String name) {
        SqsQueue queue = named(client, name);
        Map<QueueAttributeName, String> attributes = queue.attributes(QueueAttributeName.ALL);
        if (!"true".equals(attributes.get(FIFO_QUEUE))) {
            throw new QueueUnavailable(Failures.notFifo(name));
        }
        String dead = deadLetters(attributes.get(REDRIVE_POLICY));
        if (dead == null) {
            throw new QueueUnavailable(Failures.noDeadLetters(name));
        }
        return new Queues(queue, named(client, dead));
    }

    private static @Nullable String deadLetters(@Nullable String policy) {
        Matcher matcher = DEAD_ARN.matcher(policy == null ? "" : policy);
        return matcher.find() ? matcher.group(1) : null;
    }

    /** After how many receives a message goes to the dead letters. */
    static int receives(@Nullable String policy) {
        Matcher matcher = RECEIVES.matcher(policy == null ? "" : policy);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    static SqsQueue named(SqsClient client, String name) {
        String url = SqsQueue.asking(
                name,
                () -> client.getQueueUrl(request -> request.queueName(name)).queueUrl());
        return new SqsQueue(client, name, url);
    }
}

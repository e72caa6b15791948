package dev.interlock.sqs;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.CONTENT_BASED_DEDUPLICATION;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.DELAY_SECONDS;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.FIFO_QUEUE;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.MESSAGE_RETENTION_PERIOD;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.QUEUE_ARN;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.REDRIVE_POLICY;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.VISIBILITY_TIMEOUT;

import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Makes the queues that a transport needs. */
public final class SqsQueues {
    private static final Duration VISIBILITY = Duration.ofMinutes(10);
    private static final Duration DEAD_KEPT = Duration.ofDays(14);
    private static final int RECEIVES = 3;

    private SqsQueues() {}

    /** Creates NAME.fifo and NAME-dlq.fifo. Said again, it changes nothing. */
    public static void create(SqsClient client, SqsAddress address) {
        String name = address.queue();
        String dead = name.replace(".fifo", "-dlq.fifo");
        create(
                client,
                dead,
                Map.of(FIFO_QUEUE, "true", MESSAGE_RETENTION_PERIOD, String.valueOf(DEAD_KEPT.toSeconds())));
        String arn = Queues.named(client, dead).attributes(QUEUE_ARN).get(QUEUE_ARN);
        create(
                client,
                name,
                Map.of(
                        FIFO_QUEUE,
                        "true",
                        CONTENT_BASED_DEDUPLICATION,
                        "true",
                        VISIBILITY_TIMEOUT,
                        String.valueOf(VISIBILITY.toSeconds()),
                        DELAY_SECONDS,
                        "0",
                        RECEIVE_MESSAGE_WAIT_TIME_SECONDS,
                        String.valueOf(SqsQueue.LONG_POLL.toSeconds()),
                        REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"" + RECEIVES + "\"}"));
    }

    private static void create(SqsClient client, String name, Map<QueueAttributeName, String> attributes) {
        SqsQueue.asking(
                name,
                () -> client.createQueue(request -> request.queueName(name).attributes(attributes)));
    }
}

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Makes the queues that a transport needs, and tells whether those that are there will do. */
public final class SqsQueues {
    private static final Duration VISIBILITY = Duration.ofMinutes(10);
    private static final Duration DEAD_KEPT = Duration.ofDays(14);
    private static final int RECEIVES = 3;

    /**
     * One thing about a queue.
     *
     * @param advice what to do about it; null when it is as it must be
     */
    public record Trait(String what, String text, @Nullable String advice) {}

    private SqsQueues() {}

    /**
     * What is to be said about the queue and its dead letters; changes nothing.
     *
     * @throws QueueUnavailable if it cannot be used at all
     */
    public static List<Trait> describe(SqsClient client, SqsAddress address) {
        Queues queues = Queues.find(client, address.queue());
        Map<QueueAttributeName, String> live = queues.wakeUps().attributes(QueueAttributeName.ALL);
        Map<QueueAttributeName, String> dead = queues.dead().attributes(QueueAttributeName.ALL);
        return List.of(
                new Trait(
                        "queue",
                        address + " is a FIFO queue with about "
                                + queues.wakeUps().count() + " messages",
                        null),
                seconds("visibility timeout", live.get(VISIBILITY_TIMEOUT), VISIBILITY),
                seconds("delivery delay", live.get(DELAY_SECONDS), Duration.ZERO),
                redrive(Queues.receives(live.get(REDRIVE_POLICY)), queues.dead().name()),
                seconds("retention of dead letters", dead.get(MESSAGE_RETENTION_PERIOD), DEAD_KEPT),
                letters(new DeadLetterWatch(id -> Optional.empty(), () -> {}).tick(queues.dead())));
    }

    private static Trait seconds(String what, @Nullable String found, Duration right) {
        if (found == null) {
            return new Trait(what, "this server does not tell", null);
        }
        String wanted = String.valueOf(right.toSeconds());
        return wanted.equals(found)
                ? new Trait(what, wanted + " s", null)
                : new Trait(what, found + " s", "Set it to " + wanted + " s, as docs/sqs.md shows.");
    }

    private static Trait redrive(int receives, String dead) {
        String text = "to " + dead + " after " + receives + " receives";
        return receives == RECEIVES
                ? new Trait("redrive policy", text, null)
                : new Trait("redrive policy", text, "Let it be after " + RECEIVES + ", as docs/sqs.md shows.");
    }

    private static Trait letters(DeadLetters dead) {
        return dead.count() == 0
                ? new Trait("dead letters", "none", null)
                : new Trait(
                        "dead letters",
                        dead.count() + ", the oldest sent " + dead.oldest().toMinutes() + " min ago",
                        "A worker takes those of its executions away within a minute. What stays is of none: look at who"
                                + " else sends to the queue, then purge it.");
    }

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

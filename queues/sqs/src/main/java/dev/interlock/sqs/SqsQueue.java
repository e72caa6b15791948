package dev.interlock.sqs;

import dev.interlock.core.work.Outbox.WakeUp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** One queue, and what is done with it. Every verb may be repeated. */
final class SqsQueue {
    static final Duration LONG_POLL = Duration.ofSeconds(20);

    /** As many as SQS takes and gives at once. */
    static final int BATCH = 10;

    private final SqsClient client;
    private final String name;
    private final String url;

    SqsQueue(SqsClient client, String name, String url) {
        this.client = client;
        this.name = name;
        this.url = url;
    }

    String name() {
        return name;
    }

    /** Those that were accepted; for the others it is worth another try later. */
    List<WakeUp> send(List<WakeUp> wakeUps) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (int at = 0; at < wakeUps.size(); at++) {
            WakeUp wakeUp = wakeUps.get(at);
            entries.add(SendMessageBatchRequestEntry.builder()
                    .id(String.valueOf(at))
                    .messageGroupId(Message.group(wakeUp))
                    .messageDeduplicationId(Message.deduplication(wakeUp))
                    .messageBody(Message.body(wakeUp))
                    .build());
        }
        List<String> refused = asking(
                () -> client.sendMessageBatch(request -> request.queueUrl(url).entries(entries)).failed().stream()
                        .map(BatchResultErrorEntry::id)
                        .toList());
        List<WakeUp> accepted = new ArrayList<>(wakeUps);
        accepted.removeIf(wakeUp -> refused.contains(String.valueOf(wakeUps.indexOf(wakeUp))));
        return accepted;
    }

    /** Waits until something is there, but no longer than a long poll. */
    List<Message> receive() {
        return receive(LONG_POLL);
    }

    /** What is there; it stays hidden from others for as long as the queue's own setting says. */
    List<Message> receive(Duration wait) {
        ReceiveMessageResponse response = asking(() -> client.receiveMessage(request -> request.queueUrl(url)
                .maxNumberOfMessages(BATCH)
                .waitTimeSeconds((int) wait.toSeconds())
                .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP)));
        return response.messages().stream()
                .map(message ->
                        new Message(message.receiptHandle(), Message.execution(message.body()), age(message, response)))
                .toList();
    }

    /** Both instants are of the queue's clock; that of this machine takes no part. */
    private static Duration age(
            software.amazon.awssdk.services.sqs.model.Message message, ReceiveMessageResponse response) {
        String sent = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
        return response.sdkHttpResponse()
                .firstMatchingHeader("Date")
                .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant())
                .filter(now -> sent != null)
                .map(now -> Duration.between(Instant.ofEpochMilli(Long.parseLong(sent)), now))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }

    /** One whose receipt is too old comes again, and is a wake-up too many. */
    void delete(List<Message> messages) {
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
        for (Message message : messages) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(String.valueOf(entries.size()))
                    .receiptHandle(message.receipt())
                    .build());
        }
        if (!entries.isEmpty()) {
            asking(() ->
                    client.deleteMessageBatch(request -> request.queueUrl(url).entries(entries)));
        }
    }

    /** Lets somebody else have them at once. */
    void giveBack(List<Message> messages) {
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
        for (Message message : messages) {
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id(String.valueOf(entries.size()))
                    .receiptHandle(message.receipt())
                    .visibilityTimeout(0)
                    .build());
        }
        if (!entries.isEmpty()) {
            asking(() -> client.changeMessageVisibilityBatch(
                    request -> request.queueUrl(url).entries(entries)));
        }
    }

    /** About how many messages are in it, those included that somebody is looking at. */
    int count() {
        Map<QueueAttributeName, String> attributes = attributes(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
        return attributes.values().stream().mapToInt(Integer::parseInt).sum();
    }

    Map<QueueAttributeName, String> attributes(QueueAttributeName... names) {
        return asking(
                () -> client.getQueueAttributes(request -> request.queueUrl(url).attributeNames(names))
                        .attributes());
    }

    private <T> T asking(Supplier<T> question) {
        return asking(name, question);
    }

    static <T> T asking(String queue, Supplier<T> question) {
        try {
            return question.get();
        } catch (SdkException e) {
            throw Failures.translate(e, queue);
        }
    }
}

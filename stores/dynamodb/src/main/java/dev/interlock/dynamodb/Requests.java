package dev.interlock.dynamodb;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Requests to one table. Every answer, also a refusal, tells the server's clock. */
final class Requests {
    /** As many as one request may read. */
    private static final int MOST_KEYS = 100;

    /** As many as one request may delete. */
    private static final int MOST_DELETES = 25;

    private static final int TRIES = 12;
    private static final Duration FIRST_DELAY = Duration.ofMillis(10);
    private static final Duration LONGEST_DELAY = Duration.ofMillis(200);

    private final DynamoDbClient client;
    private final String table;
    private final Ports ports;
    private final ServerClock clock;

    Requests(DynamoDbClient client, String table, Ports ports, ServerClock clock) {
        this.client = client;
        this.table = table;
        this.ports = ports;
        this.clock = clock;
    }

    String table() {
        return table;
    }

    DynamoDbClient client() {
        return client;
    }

    ServerClock clock() {
        return clock;
    }

    /** Sends, again when another write to the same item was in the way, and hears what time it is there. */
    <R extends DynamoDbResponse> R send(Supplier<R> request) {
        for (int attempt = 1; ; attempt++) {
            long sentAt = ports.ticker().nanos();
            try {
                R answer = request.get();
                heard(answer.sdkHttpResponse(), sentAt);
                return answer;
            } catch (SdkException e) {
                if (e instanceof AwsServiceException service && service.awsErrorDetails() != null) {
                    heard(service.awsErrorDetails().sdkHttpResponse(), sentAt);
                }
                if (isRefusal(e)) {
                    throw e;
                }
                if (attempt >= TRIES || !Failures.isConflict(e)) {
                    throw Failures.translate(e, table);
                }
            }
            pause(attempt);
        }
    }

    private static boolean isRefusal(SdkException e) {
        return e instanceof ConditionalCheckFailedException
                || (e instanceof TransactionCanceledException cancelled && refused(cancelled) >= 0);
    }

    private static int refused(TransactionCanceledException e) {
        List<CancellationReason> reasons = e.cancellationReasons();
        for (int at = 0; at < reasons.size(); at++) {
            if ("ConditionalCheckFailed".equals(reasons.get(at).code())) {
                return at;
            }
        }
        return -1;
    }

    /** Before something is tried for the n-th time; longer each time, and by chance. */
    void pause(int attempt) {
        if (attempt >= TRIES) {
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.BUSY, "Too many change this lock at the same time. Try again in a moment.");
        }
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(attempt - 1, 10));
        try {
            ports.pause(ports.jittered(delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable(
                    StoreUnavailable.Kind.BUSY, "Interrupted while another change to this lock was under way.", e);
        }
    }

    private void heard(@Nullable SdkHttpResponse answer, long sentAt) {
        Optional<String> date = answer == null ? Optional.empty() : answer.firstMatchingHeader("Date");
        if (date.isEmpty()) {
            return;
        }
        try {
            clock.heard(
                    Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date.get())),
                    sentAt,
                    ports.ticker().nanos());
        } catch (DateTimeParseException e) {
            // What somebody on the way has garbled is no time; other answers will tell.
        }
    }

    @Nullable Item get(Item key) {
        var answer = send(() -> client.getItem(
                request -> request.tableName(table).key(key.attributes()).consistentRead(true)));
        return answer.hasItem() ? Item.of(answer.item()) : null;
    }

    /** Those that exist, in any order. */
    List<Item> getAll(Collection<Item> keys) {
        List<Item> found = new ArrayList<>();
        List<Map<String, AttributeValue>> open =
                new ArrayList<>(keys.stream().map(Item::attributes).distinct().toList());
        for (int attempt = 1; !open.isEmpty(); ) {
            List<Map<String, AttributeValue>> some = List.copyOf(open.subList(0, Math.min(MOST_KEYS, open.size())));
            open.subList(0, some.size()).clear();
            var answer = send(() -> client.batchGetItem(request -> request.requestItems(Map.of(
                    table,
                    KeysAndAttributes.builder().keys(some).consistentRead(true).build()))));
            answer.responses().getOrDefault(table, List.of()).forEach(item -> found.add(Item.of(item)));
            KeysAndAttributes left = answer.unprocessedKeys().get(table);
            if (left != null) {
                open.addAll(left.keys());
                pause(attempt++);
            }
        }
        return found;
    }

    QueryResponse query(QueryRequest.Builder query) {
        return send(() -> client.query(query.tableName(table).build()));
    }

    Write update(Change change) {
        try {
            var answer = send(() -> client.updateItem(request -> request.tableName(table)
                    .key(change.key().attributes())
                    .updateExpression(change.expression())
                    .conditionExpression(change.condition())
                    .expressionAttributeNames(change.names())
                    .expressionAttributeValues(change.values())
                    .returnValues(ReturnValue.ALL_NEW)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
            return new Write.Done(Item.of(answer.attributes()));
        } catch (ConditionalCheckFailedException e) {
            return refused(e);
        }
    }

    /**
     * Writes the whole item if the one before is still there. When the answer to the same write was lost and the client
     * has sent it again, it is refused because of itself: then the item is what we wrote, and it is done.
     */
    Write put(Item item, Change.Condition unchanged) {
        try {
            send(() -> client.putItem(request -> request.tableName(table)
                    .item(item.attributes())
                    .conditionExpression(unchanged.expression())
                    .expressionAttributeNames(unchanged.names())
                    .expressionAttributeValues(unchanged.valuesOrNull())
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
            return new Write.Done(item);
        } catch (ConditionalCheckFailedException e) {
            return e.hasItem() && e.item().equals(item.attributes()) ? new Write.Done(item) : refused(e);
        }
    }

    void put(Item item) {
        send(() -> client.putItem(request -> request.tableName(table).item(item.attributes())));
    }

    Write delete(Item key, Change.Condition unchanged) {
        try {
            send(() -> client.deleteItem(request -> request.tableName(table)
                    .key(key.attributes())
                    .conditionExpression(unchanged.expression())
                    .expressionAttributeNames(unchanged.names())
                    .expressionAttributeValues(unchanged.valuesOrNull())));
            return new Write.Done(null);
        } catch (ConditionalCheckFailedException e) {
            return refused(e);
        }
    }

    void deleteAll(List<Item> keys) {
        List<WriteRequest> open = new ArrayList<>(keys.stream()
                .map(key -> WriteRequest.builder()
                        .deleteRequest(request -> request.key(key.attributes()))
                        .build())
                .toList());
        for (int attempt = 1; !open.isEmpty(); ) {
            List<WriteRequest> some = List.copyOf(open.subList(0, Math.min(MOST_DELETES, open.size())));
            open.subList(0, some.size()).clear();
            var answer = send(() -> client.batchWriteItem(request -> request.requestItems(Map.of(table, some))));
            List<WriteRequest> left = answer.unprocessedItems().get(table);
            if (left != null) {
                open.addAll(left);
                pause(attempt++);
            }
        }
    }

    /** All or none. The client's own token makes a repetition after a lost answer harmless for ten minutes. */
    Write transact(List<TransactWriteItem> writes) {
        String token = ports.randomId().toString();
        try {
            send(() -> client.transactWriteItems(
                    request -> request.transactItems(writes).clientRequestToken(token)));
            return new Write.Done(null);
        } catch (TransactionCanceledException e) {
            int at = refused(e);
            CancellationReason reason = e.cancellationReasons().get(at);
            return new Write.Refused(reason.hasItem() ? Item.of(reason.item()) : null, at);
        }
    }

    TransactWriteItem putting(Item item) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table).item(item.attributes()))
                .build();
    }

    TransactWriteItem putting(Item item, Change.Condition unchanged) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(item.attributes())
                        .conditionExpression(unchanged.expression())
                        .expressionAttributeNames(unchanged.names())
                        .expressionAttributeValues(unchanged.valuesOrNull())
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build();
    }

    private static Write refused(ConditionalCheckFailedException e) {
        return new Write.Refused(e.hasItem() ? Item.of(e.item()) : null, 0);
    }
}

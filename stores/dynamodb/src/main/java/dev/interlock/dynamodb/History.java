package dev.interlock.dynamodb;

import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** What happened to a lock, read back. It lies beside the lock's record, under the same name. */
final class History {
    private static final int ESTIMATED_FROM = 20;

    private final Requests requests;

    History(Requests requests) {
        this.requests = requests;
    }

    private record Found(String record, PastRecord past) {}

    Page<Past> page(LockName name, Page.Request page) {
        List<Found> found = new ArrayList<>();
        Map<String, AttributeValue> from = page.after() == null
                ? null
                : Item.key(name.value(), page.after()).attributes();
        do {
            QueryResponse answer = requests.query(query(name, PastRecord.PREFIX, from, page.size() + 1 - found.size()));
            answer.items().forEach(item -> found.add(found(Item.of(item))));
            from = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : null;
        } while (from != null && found.size() <= page.size());
        boolean more = found.size() > page.size();
        List<Found> shown = more ? found.subList(0, page.size()) : found;
        return new Page<>(
                shown.stream().map(each -> each.past().past()).toList(),
                more ? shown.getLast().record() : null);
    }

    private static Found found(Item item) {
        return new Found(item.text(Item.RECORD), PastRecord.from(item));
    }

    /** How the tenure with this token ended, if it was this holder's; any number may have been refused meanwhile. */
    @Nullable PastRecord tenure(Lock lock) {
        Map<String, AttributeValue> from = null;
        do {
            QueryResponse answer = requests.query(query(lock.name(), PastRecord.prefix(lock.token()), from, 1000)
                    .filterExpression("attribute_exists(ending)"));
            for (Map<String, AttributeValue> item : answer.items()) {
                PastRecord past = PastRecord.from(Item.of(item));
                if (isOf(past, lock)) {
                    return past;
                }
            }
            from = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : null;
        } while (from != null);
        return null;
    }

    private static boolean isOf(PastRecord past, Lock lock) {
        var holder = past.past().holder();
        return holder.execution().equals(lock.holder().execution())
                && holder.attempt() == lock.holder().attempt()
                && holder.owner().equals(lock.holder().owner());
    }

    /** What the last tenures suggest for somebody at that position; null when there is nothing to go by. */
    @Nullable Duration estimate(LockName name, int position) {
        List<Duration> tenures = requests.query(query(name, PastRecord.PREFIX, null, ESTIMATED_FROM)).items().stream()
                .map(item -> PastRecord.from(Item.of(item)))
                .filter(past -> past.ending() != null)
                .map(past -> Duration.between(past.past().began(), past.past().ended()))
                .toList();
        return tenures.isEmpty()
                ? null
                : tenures.stream()
                        .reduce(Duration.ZERO, Duration::plus)
                        .dividedBy(tenures.size())
                        .multipliedBy(position);
    }

    private static QueryRequest.Builder query(
            LockName name, String prefix, @Nullable Map<String, AttributeValue> from, int limit) {
        return QueryRequest.builder()
                .keyConditionExpression("#name = :name AND begins_with(#record, :prefix)")
                .expressionAttributeNames(Map.of("#name", Item.NAME, "#record", Item.RECORD))
                .expressionAttributeValues(
                        Map.of(":name", AttributeValue.fromS(name.value()), ":prefix", AttributeValue.fromS(prefix)))
                .scanIndexForward(false)
                .consistentRead(true)
                .exclusiveStartKey(from)
                .limit(limit);
    }

    /** Deletes what ended before that instant. */
    void forget(LockName name, Instant before) {
        Map<String, AttributeValue> from = null;
        do {
            QueryResponse answer =
                    requests.query(query(name, PastRecord.PREFIX, from, 100).scanIndexForward(true));
            List<Item> old = answer.items().stream()
                    .map(Item::of)
                    .filter(item -> item.as(past -> past.instant("ended_at")).isBefore(before))
                    .toList();
            requests.deleteAll(old.stream()
                    .map(item -> Item.key(name.value(), item.text(Item.RECORD)))
                    .toList());
            boolean goesOn =
                    answer.hasLastEvaluatedKey() && old.size() == answer.items().size();
            from = goesOn ? answer.lastEvaluatedKey() : null;
        } while (from != null);
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Lock;
import dev.interlock.core.LockFilter;
import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.StoreUnavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Reads many records by the index. The index tells only which names there are, and may be a moment behind; the records
 * themselves are read as they are.
 */
final class Listing {
    private static final int AT_ONCE = 100;

    private final Requests requests;
    private final Judge judge;

    Listing(Requests requests, Judge judge) {
        this.requests = requests;
        this.judge = judge;
    }

    Page<Lock> locks(LockFilter filter, Page.Request page) {
        LockName after = page.after() == null ? null : LockName.of(page.after());
        List<Lock> found = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Names names = new Names(LockRecord.RECORD, filter.prefix(), after);
        while (found.size() <= page.size()) {
            List<String> some = names.next(page.size() + 1);
            if (some.isEmpty()) {
                break;
            }
            judged(records(some, faults::add), faults::add).stream()
                    .map(Judged::view)
                    .filter(filter::accepts)
                    .forEach(found::add);
        }
        boolean more = found.size() > page.size();
        List<Lock> shown = more ? found.subList(0, page.size()) : found;
        return new Page<>(shown, more ? shown.getLast().name().value() : null, faults);
    }

    /** In the order of the names. One that cannot be read hides none of the others. */
    List<LockRecord> records(List<String> names, Consumer<String> faults) {
        Map<String, LockRecord> found = new HashMap<>();
        for (Item item : requests.getAll(
                names.stream().map(name -> Item.key(name, LockRecord.RECORD)).toList())) {
            try {
                LockRecord lock = LockRecord.from(item);
                if (lock != null) {
                    found.put(lock.name().value(), lock);
                }
            } catch (StoreUnavailable damaged) {
                faults.accept(String.valueOf(damaged.getMessage()));
            }
        }
        return names.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** All at once; one by one only when the lease under one of them cannot be read. */
    List<Judged> judged(List<LockRecord> locks, Consumer<String> faults) {
        try {
            return judge.fully(locks);
        } catch (StoreUnavailable e) {
            if (e.kind() != StoreUnavailable.Kind.MISCONFIGURED) {
                throw e;
            }
            if (locks.size() == 1) {
                faults.accept(String.valueOf(e.getMessage()));
                return List.of();
            }
            return locks.stream()
                    .flatMap(lock -> judged(List.of(lock), faults).stream())
                    .toList();
        }
    }

    /** The names that are listed under one heading, in canonical order. */
    Names names(String listing) {
        return new Names(listing, null, null);
    }

    final class Names {
        private final String listing;
        private final @Nullable String prefix;
        private final @Nullable LockName after;
        private final List<String> ahead = new ArrayList<>();
        private @Nullable Map<String, AttributeValue> from;
        private boolean atEnd;

        Names(String listing, @Nullable String prefix, @Nullable LockName after) {
            this.listing = listing;
            this.prefix = prefix;
            this.after = after;
        }

        /** At most so many; none when there are no more. */
        List<String> next(int most) {
            while (!atEnd && ahead.size() < most) {
                read();
            }
            // Names that are the same as far as the index can tell come in any order: read on until they differ.
            while (!atEnd
                    && LockRecord.order(ahead.get(most - 1)).equals(LockRecord.order(ahead.getLast()))
                    && LockRecord.order(ahead.getLast()).length()
                            < ahead.getLast().length()) {
                read();
            }
            ahead.sort(Comparator.comparing(LockName::of));
            List<String> some = List.copyOf(ahead.subList(0, Math.min(most, ahead.size())));
            ahead.subList(0, some.size()).clear();
            return some;
        }

        private void read() {
            Map<String, AttributeValue> values = new HashMap<>();
            values.put(":listing", AttributeValue.fromS(listing));
            String order = "";
            if (prefix != null && !prefix.isEmpty()) {
                values.put(":prefix", AttributeValue.fromS(LockRecord.order(prefix)));
                order = " AND begins_with(#order, :prefix)";
            } else if (after != null) {
                values.put(":after", AttributeValue.fromS(LockRecord.order(after.value())));
                order = " AND #order >= :after";
            }
            Map<String, String> named = order.isEmpty()
                    ? Map.of("#listing", Item.LISTING)
                    : Map.of("#listing", Item.LISTING, "#order", Item.LISTING_ORDER);
            QueryResponse answer = requests.query(QueryRequest.builder()
                    .indexName(DynamoTable.INDEX)
                    .keyConditionExpression("#listing = :listing" + order)
                    .expressionAttributeNames(named)
                    .expressionAttributeValues(values)
                    .exclusiveStartKey(from)
                    .limit(AT_ONCE));
            answer.items().stream()
                    .map(item -> Item.of(item).text(Item.NAME))
                    .filter(name -> prefix == null || name.startsWith(prefix))
                    .filter(name -> after == null || LockName.of(name).compareTo(after) > 0)
                    .forEach(ahead::add);
            atEnd = !answer.hasLastEvaluatedKey();
            from = atEnd ? null : answer.lastEvaluatedKey();
        }
    }
}

package dev.interlock.dynamodb;

import dev.interlock.core.Holder;
import dev.interlock.core.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of one item, or of a map within one. Instants and durations are numbers of milliseconds. */
final class Item {
    static final String NAME = "lock_name";
    static final String RECORD = "record";
    static final String LISTING = "listing";
    static final String LISTING_ORDER = "listing_order";
    static final String VERSION = "version";

    private final Map<String, AttributeValue> attributes;

    private Item(Map<String, AttributeValue> attributes) {
        this.attributes = attributes;
    }

    static Item empty() {
        return new Item(new TreeMap<>());
    }

    static Item of(Map<String, AttributeValue> attributes) {
        return new Item(attributes);
    }

    static Item key(String name, String record) {
        return empty().with(NAME, name).with(RECORD, record);
    }

    Map<String, AttributeValue> attributes() {
        return attributes;
    }

    boolean has(String name) {
        return attributes.containsKey(name);
    }

    Item with(String name, @Nullable String value) {
        return value == null ? this : with(name, AttributeValue.fromS(value));
    }

    Item with(String name, long value) {
        return with(name, AttributeValue.fromN(Long.toString(value)));
    }

    Item with(String name, @Nullable Instant value) {
        return value == null ? this : with(name, value.toEpochMilli());
    }

    Item with(String name, Duration value) {
        return value.isZero() ? this : with(name, value.toMillis());
    }

    Item with(String name, Item value) {
        return value.attributes.isEmpty() ? this : with(name, AttributeValue.fromM(value.attributes));
    }

    /** An empty list is left out, so that conditions can ask whether there is one. */
    Item with(String name, List<Item> values) {
        return values.isEmpty()
                ? this
                : with(
                        name,
                        AttributeValue.fromL(values.stream()
                                .map(value -> AttributeValue.fromM(value.attributes))
                                .toList()));
    }

    Item with(Holder holder) {
        return with("execution_id", holder.execution())
                .with("attempt", holder.attempt())
                .with("owner", holder.owner())
                .with("user", holder.user());
    }

    private Item with(String name, AttributeValue value) {
        attributes.put(name, value);
        return this;
    }

    Item and(Item others) {
        attributes.putAll(others.attributes);
        return this;
    }

    /**
     * What the item tells, as a record.
     *
     * @throws StoreUnavailable if somebody has changed it so that it cannot be read any more
     */
    <T> T as(Function<Item, T> record) {
        try {
            return record.apply(this);
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
            throw Failures.damaged(text(NAME), text(RECORD), e);
        }
    }

    String text(String name) {
        return filled(name, required(name).s());
    }

    @Nullable String textOrNull(String name) {
        return has(name) ? text(name) : null;
    }

    long number(String name) {
        return Long.parseLong(filled(name, required(name).n()));
    }

    Instant instant(String name) {
        return Instant.ofEpochMilli(number(name));
    }

    @Nullable Instant instantOrNull(String name) {
        return has(name) ? instant(name) : null;
    }

    Duration duration(String name) {
        return has(name) ? Duration.ofMillis(number(name)) : Duration.ZERO;
    }

    Holder holder() {
        return new Holder(text("execution_id"), Math.toIntExact(number("attempt")), text("owner"), text("user"));
    }

    @Nullable Item mapOrNull(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? null : map(name, value);
    }

    <T> List<T> list(String name, Function<Item, T> element) {
        AttributeValue value = attributes.get(name);
        return value == null
                ? List.of()
                : filled(name, value.hasL() ? value.l() : null).stream()
                        .map(each -> element.apply(map(name, each)))
                        .toList();
    }

    private AttributeValue required(String name) {
        AttributeValue value = attributes.get(name);
        if (value == null) {
            throw new IllegalStateException("it lacks the field " + name);
        }
        return value;
    }

    private static Item map(String name, AttributeValue value) {
        return new Item(filled(name, value.hasM() ? value.m() : null));
    }

    private static <T> T filled(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("its field " + name + " is of another type");
        }
        return value;
    }
}

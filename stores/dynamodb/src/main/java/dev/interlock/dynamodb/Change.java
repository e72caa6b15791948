package dev.interlock.dynamodb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An update of one item with its condition, which is the lock. Every name goes by a placeholder, since half of them are
 * reserved words.
 */
final class Change {
    private final Item key;
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private String condition = "";

    record Condition(String expression, Map<String, String> names, Map<String, AttributeValue> values) {
        /** The service refuses an empty map, and wants none. */
        @Nullable Map<String, AttributeValue> valuesOrNull() {
            return values.isEmpty() ? null : values;
        }
    }

    Change(Item key) {
        this.key = key;
    }

    static Condition unchanged(long version) {
        return version == 0
                ? new Condition("attribute_not_exists(#name)", Map.of("#name", Item.NAME), Map.of())
                : new Condition(
                        "#version = :seen",
                        Map.of("#version", Item.VERSION),
                        Map.of(":seen", AttributeValue.fromN(Long.toString(version))));
    }

    /** A version alone would not do: the count begins anew when a name that was pruned comes back. */
    static Condition unchanged(LockRecord seen) {
        return new Condition(
                "#version = :seen AND #lock_id = :lock_id",
                Map.of("#version", Item.VERSION, "#lock_id", "lock_id"),
                Map.of(
                        ":seen",
                        AttributeValue.fromN(Long.toString(seen.version())),
                        ":lock_id",
                        AttributeValue.fromS(seen.tenure().lockId())));
    }

    /** Nobody has taken the name up again since it was pruned. */
    static Condition bare(long version) {
        return new Condition(
                "#version = :seen AND attribute_exists(#pruned_at)",
                Map.of("#version", Item.VERSION, "#pruned_at", "pruned_at"),
                Map.of(":seen", AttributeValue.fromN(Long.toString(version))));
    }

    /** Every attribute but those of the key. */
    Change set(Item item) {
        item.attributes().forEach((name, value) -> {
            if (!key.has(name)) {
                sets.add(placeholder(name) + " = :" + name);
                values.put(":" + name, value);
            }
        });
        return this;
    }

    /** One more than it was, or than this if it was nothing. */
    Change count(String name, long from) {
        String number = placeholder(name);
        sets.add(number + " = if_not_exists(" + number + ", :from_" + name + ") + :one");
        return value("from_" + name, from).value("one", 1);
    }

    Change remove(String... gone) {
        for (String name : gone) {
            removes.add(placeholder(name));
        }
        return this;
    }

    /** In the expression a name is preceded by # and a value by a colon. */
    Change provided(String expression, String... named) {
        condition = expression;
        for (String name : named) {
            placeholder(name);
        }
        return this;
    }

    Change value(String name, long number) {
        values.put(":" + name, AttributeValue.fromN(Long.toString(number)));
        return this;
    }

    Change value(String name, String text) {
        values.put(":" + name, AttributeValue.fromS(text));
        return this;
    }

    private String placeholder(String name) {
        names.put("#" + name, name);
        return "#" + name;
    }

    Item key() {
        return key;
    }

    String expression() {
        String set = sets.isEmpty() ? "" : "SET " + String.join(", ", sets);
        return removes.isEmpty() ? set : set + " REMOVE " + String.join(", ", removes);
    }

    String condition() {
        return condition;
    }

    Map<String, String> names() {
        return names;
    }

    Map<String, AttributeValue> values() {
        return values;
    }
}

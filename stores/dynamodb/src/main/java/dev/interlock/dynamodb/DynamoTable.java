package dev.interlock.dynamodb;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The table that locks live in: how it is made, and whether one that is there will do. */
public final class DynamoTable {
    static final String INDEX = "listing";

    private static final Duration LONGEST_CREATION = Duration.ofMinutes(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private DynamoTable() {}

    /**
     * Makes the table, paid by request, and waits until it can be used; false when there is one already that will do.
     *
     * @param deletionProtection whether deleting it must be allowed first
     */
    public static boolean create(DynamoDbClient client, String table, boolean deletionProtection, Ports ports) {
        try {
            client.createTable(definition(table, deletionProtection));
        } catch (ResourceInUseException e) {
            check(client, table);
            return false;
        } catch (SdkException e) {
            throw Failures.translate(e, table);
        }
        awaitActive(client, table, ports);
        return true;
    }

    private static void awaitActive(DynamoDbClient client, String table, Ports ports) {
        long giveUp = ports.ticker().nanos() + LONGEST_CREATION.toNanos();
        while (true) {
            TableStatus status;
            try {
                status = client.describeTable(request -> request.tableName(table))
                        .table()
                        .tableStatus();
            } catch (ResourceNotFoundException e) {
                status = TableStatus.CREATING; // The description is a moment behind.
            } catch (SdkException e) {
                throw Failures.translate(e, table);
            }
            if (status == TableStatus.ACTIVE) {
                return;
            }
            if (ports.ticker().nanos() - giveUp > 0) {
                throw new StoreUnavailable(
                        Kind.BUSY, "The table '" + table + "' is still being made. Look again in a few minutes.");
            }
            try {
                ports.pause(BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailable(
                        Kind.BUSY,
                        "Interrupted while the table '" + table + "' was being made; it will be there soon.",
                        e);
            }
        }
    }

    private static CreateTableRequest definition(String table, boolean deletionProtection) {
        return CreateTableRequest.builder()
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .deletionProtectionEnabled(deletionProtection)
                .attributeDefinitions(text(Item.NAME), text(Item.RECORD), text(Item.LISTING), text(Item.LISTING_ORDER))
                .keySchema(key(Item.NAME, KeyType.HASH), key(Item.RECORD, KeyType.RANGE))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName(INDEX)
                        .keySchema(key(Item.LISTING, KeyType.HASH), key(Item.LISTING_ORDER, KeyType.RANGE))
                        // Nothing that is written again and again: only a new name or lease touches the index.
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
                        .build())
                .build();
    }

    private static AttributeDefinition text(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    /**
     * Something about a table that whoever looks after it should know.
     *
     * @param advice what to do about it; null when all is well
     */
    public record Trait(String what, String text, @Nullable String advice) {}

    public static List<Trait> describe(DynamoDbClient client, String table) {
        TableDescription description;
        try {
            description =
                    client.describeTable(request -> request.tableName(table)).table();
        } catch (SdkException e) {
            throw Failures.translate(e, table);
        }
        boolean onDemand = description.billingModeSummary() != null
                && description.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
        boolean isProtected = Boolean.TRUE.equals(description.deletionProtectionEnabled());
        return List.of(
                new Trait("table", description.tableName() + ", one Region, no time to live", null),
                onDemand
                        ? new Trait("capacity", "paid by request", null)
                        : new Trait(
                                "capacity",
                                "provisioned",
                                "When it runs out, renewals are throttled. Choose on-demand, or reserve enough."),
                isProtected
                        ? new Trait("protection", "the table cannot be deleted by mistake", null)
                        : new Trait(
                                "protection",
                                "the table can be deleted by mistake, and tokens would begin anew",
                                "Switch deletion protection on."));
    }

    /** Whether the store cannot be had because there is no such table. */
    public static boolean isMissing(StoreUnavailable why) {
        return why.getCause() instanceof ResourceNotFoundException;
    }

    /**
     * Refuses a table that cannot keep the promises: other keys, other Regions that may write to it, or a time to live
     * that would delete the records in which the tokens are counted.
     */
    static void check(DynamoDbClient client, String table) {
        try {
            check(client.describeTable(request -> request.tableName(table)).table(), table);
        } catch (SdkException e) {
            throw Failures.translate(e, table);
        }
        checkTimeToLive(client, table);
    }

    static void check(TableDescription description, String table) {
        List<KeySchemaElement> keys = List.of(key(Item.NAME, KeyType.HASH), key(Item.RECORD, KeyType.RANGE));
        boolean hasKeys = description.keySchema().equals(keys)
                && description.attributeDefinitions().containsAll(List.of(text(Item.NAME), text(Item.RECORD)));
        List<KeySchemaElement> indexKeys =
                List.of(key(Item.LISTING, KeyType.HASH), key(Item.LISTING_ORDER, KeyType.RANGE));
        boolean hasIndex = description.globalSecondaryIndexes().stream()
                .anyMatch(index ->
                        index.indexName().equals(INDEX) && index.keySchema().equals(indexKeys));
        if (!hasKeys || !hasIndex) {
            throw new StoreUnavailable(Kind.MISCONFIGURED, Failures.wrongKeys(table));
        }
        if (description.hasReplicas() && !description.replicas().isEmpty()) {
            throw new StoreUnavailable(
                    Kind.MISCONFIGURED,
                    "The table '" + table
                            + "' is a global table: between Regions the last writer wins, so that two could"
                            + " hold one lock. Use a table in one Region.");
        }
    }

    private static void checkTimeToLive(DynamoDbClient client, String table) {
        TimeToLiveStatus status;
        try {
            status = client.describeTimeToLive(request -> request.tableName(table))
                    .timeToLiveDescription()
                    .timeToLiveStatus();
        } catch (SdkException e) {
            StoreUnavailable why = Failures.translate(e, table);
            if (why.kind() == Kind.FORBIDDEN) {
                return; // A process without this right can still lock; whoever has it will find out.
            }
            throw why;
        }
        if (status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING) {
            throw new StoreUnavailable(
                    Kind.MISCONFIGURED,
                    "The table '" + table + "' has a time to live: it would delete the records in which tokens are"
                            + " counted, and tokens would come back. Switch it off; interlock store prune removes what"
                            + " is old.");
        }
    }
}

package dev.interlock.bench.dynamodb;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.CreateDynamoDBTableOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/** Amazon's dynamodb-lock-client, with its defaults; heartbeats are sent when asked, so that they can be counted. */
final class AmazonClient implements Client {
    private final AmazonDynamoDBLockClient client;
    private final Set<LockItem> held = ConcurrentHashMap.newKeySet();

    private AmazonClient(AmazonDynamoDBLockClient client) {
        this.client = client;
    }

    static AmazonClient open(DynamoDbClient dynamo, String table) {
        AmazonDynamoDBLockClient.createLockTableInDynamoDB(CreateDynamoDBTableOptions.builder(
                        dynamo,
                        ProvisionedThroughput.builder()
                                .readCapacityUnits(1000L)
                                .writeCapacityUnits(1000L)
                                .build(),
                        table)
                .build());
        return new AmazonClient(new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamo, table)
                .withTimeUnit(TimeUnit.SECONDS)
                .withLeaseDuration(30L)
                .withHeartbeatPeriod(10L)
                .withCreateHeartbeatBackgroundThread(false)
                .build()));
    }

    @Override
    public AutoCloseable acquire(String name) throws InterruptedException {
        var item = client.acquireLock(AcquireLockOptions.builder(name)
                .withTimeUnit(TimeUnit.SECONDS)
                .withAdditionalTimeToWaitForLock(3600L)
                .build());
        held.add(item);
        return () -> {
            held.remove(item);
            client.releaseLock(item);
        };
    }

    @Override
    public void heartbeat() {
        held.forEach(client::sendHeartbeat);
    }

    @Override
    public void close() throws IOException {
        held.clear();
        client.close();
    }
}

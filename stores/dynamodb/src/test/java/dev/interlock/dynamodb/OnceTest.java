package dev.interlock.dynamodb;

import dev.interlock.contract.once.OnceAcrossProcesses;
import dev.interlock.contract.once.StoreOpener;
import dev.interlock.core.LockStore;
import dev.interlock.core.Ports;
import java.net.URI;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class OnceTest extends OnceAcrossProcesses {
    private final LocalServer server = LocalServer.shared();
    private final String table = server.table();

    /** Not by way of {@link LocalServer}, which would start another one. */
    static final class Opener implements StoreOpener {
        @Override
        public LockStore open(List<String> address, Ports ports) {
            DynamoDbClient client = DynamoClients.builder()
                    .region(Region.EU_CENTRAL_1)
                    .endpointOverride(URI.create(address.get(0)))
                    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                    .build();
            return DynamoLockStore.open(client, address.get(1), ports);
        }
    }

    @Override
    protected Class<? extends StoreOpener> opener() {
        return Opener.class;
    }

    @Override
    protected List<String> address() {
        return List.of(server.endpoint().toString(), table);
    }
}

package dev.interlock.dynamodb;

import static dev.interlock.dynamodb.Scene.NAME;
import static dev.interlock.dynamodb.Scene.ask;
import static dev.interlock.dynamodb.Scene.granted;
import static dev.interlock.dynamodb.Scene.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.Lease;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.StoreUnavailable.Kind;
import dev.interlock.core.system.SystemPorts;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Whatever is wrong with the store is told in one clear sentence, and grants nothing. */
class TroubleTest {
    private final DynamoDbClient client = LocalServer.shared().client();

    private static StoreUnavailable opening(DynamoDbClient client, String table) {
        return catchThrowableOfType(
                StoreUnavailable.class, () -> DynamoLockStore.open(client, table, SystemPorts.create()));
    }

    private static void says(StoreUnavailable trouble, Kind kind, String... words) {
        assertThat(trouble.kind()).isEqualTo(kind);
        assertThat(trouble.getMessage()).contains(words).doesNotContain("\n").hasSizeLessThan(400);
    }

    @Test
    void a_table_that_is_not_there() {
        says(
                opening(client, "nowhere"),
                Kind.MISCONFIGURED,
                "There is no table 'nowhere'",
                "interlock dynamodb create-table");
    }

    @Test
    void a_table_with_other_keys() {
        client.createTable(table -> table.tableName("other-keys")
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("key")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("key")
                        .keyType(KeyType.HASH)
                        .build()));

        says(opening(client, "other-keys"), Kind.MISCONFIGURED, "was not made for Interlock", "lock_name", "record");
        assertThatThrownBy(() -> DynamoTable.create(client, "other-keys", false, SystemPorts.create()))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("was not made for Interlock");
    }

    /** It would delete the records in which tokens are counted. */
    @Test
    void a_table_with_a_time_to_live() {
        String table = LocalServer.shared().table();
        client.updateTimeToLive(request -> request.tableName(table)
                .timeToLiveSpecification(ttl -> ttl.attributeName("expires_at").enabled(true)));

        says(opening(client, table), Kind.MISCONFIGURED, "time to live", "Switch it off");
    }

    @Test
    void a_global_table() {
        String table = LocalServer.shared().table();
        var description =
                client.describeTable(request -> request.tableName(table)).table();
        DynamoTable.check(description, table);
        var replicated = description.toBuilder()
                .replicas(ReplicaDescription.builder().regionName("eu-west-1").build())
                .build();

        assertThatThrownBy(() -> DynamoTable.check(replicated, table))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("global table");
    }

    @Test
    void a_table_is_made_once() {
        assertThat(DynamoTable.create(client, "made-once", true, SystemPorts.create()))
                .isTrue();
        assertThat(DynamoTable.create(client, "made-once", true, SystemPorts.create()))
                .isFalse();

        DynamoLockStore.open(client, "made-once", SystemPorts.create()).close();
    }

    @Test
    void no_credentials() {
        DynamoDbClient stranger = DynamoClients.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(LocalServer.shared().endpoint())
                .credentialsProvider(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()))
                .build();

        says(opening(stranger, "locks"), Kind.FORBIDDEN, "There are no AWS credentials here");
    }

    @Test
    void a_region_that_does_not_exist() {
        DynamoDbClient lost = DynamoClients.builder()
                .region(Region.of("mars-north-1"))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();

        says(opening(lost, "locks"), Kind.UNREACHABLE, "cannot be reached", "Check the region");
    }

    @Test
    void an_endpoint_where_nobody_listens() {
        DynamoDbClient nobody = DynamoClients.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(URI.create("http://127.0.0.1:1"))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();

        says(opening(nobody, "locks"), Kind.UNREACHABLE, "cannot be reached");
    }

    @ParameterizedTest
    @CsvSource({
        "ProvisionedThroughputExceededException, BUSY, too busy",
        "ThrottlingException, BUSY, too busy",
        "RequestLimitExceeded, BUSY, too busy",
        "AccessDeniedException, FORBIDDEN, may not do this",
        "UnrecognizedClientException, FORBIDDEN, does not accept these credentials",
        "ExpiredTokenException, FORBIDDEN, does not accept these credentials",
        "ResourceNotFoundException, MISCONFIGURED, There is no table",
    })
    void what_the_service_refuses_grants_nothing(String code, Kind kind, String words) {
        Scene scene = new Scene();
        Lease lease = lease("here:1:a");
        granted(scene.here.acquire(ask(LockName.of("warm"), lease, "e0")));
        scene.traffic.refuse(100, code);

        says(
                catchThrowableOfType(StoreUnavailable.class, () -> scene.here.acquire(ask(NAME, lease, "e1"))),
                kind,
                words);
        assertThatThrownBy(() -> scene.here.renew(List.of(lease))).isInstanceOf(StoreUnavailable.class);
    }

    @Test
    void a_moment_of_throttling_is_waited_out() {
        Scene scene = new Scene();
        Lease lease = lease("here:1:a");
        Lock lock = granted(scene.here.acquire(ask(NAME, lease, "e1")));

        scene.traffic.refuse(2, "ThrottlingException");
        scene.here.renew(List.of(lease));
        scene.traffic.refuse(2, "ThrottlingException");
        scene.here.release(lock);

        assertThat(scene.there.find(NAME).orElseThrow().isHeld()).isFalse();
    }

    /** Two thousand bytes of name, which is what a key takes. */
    @Test
    void the_longest_name_fits_into_the_key() {
        LockName longest = LockName.of("𝔵".repeat(512));
        Scene scene = new Scene();

        assertThat(longest.value().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .hasSize(2048);
        assertThat(granted(scene.here.acquire(ask(longest, lease("here:1:a"), "e1")))
                        .name())
                .isEqualTo(longest);
    }
}

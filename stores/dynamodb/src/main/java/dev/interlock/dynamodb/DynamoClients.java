package dev.interlock.dynamodb;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Clients with timeouts that suit leases: an answer that does not come within seconds is asked for again while there is
 * time, and given up well before an ordinary lease must be.
 */
public final class DynamoClients {
    private static final Duration ATTEMPT = Duration.ofSeconds(3);
    private static final Duration CALL = Duration.ofSeconds(8);

    private DynamoClients() {}

    /**
     * A client with the credentials that the environment has.
     *
     * @param region null for what the environment says
     * @param endpoint null for the service itself
     */
    public static DynamoDbClient create(@Nullable String region, @Nullable URI endpoint) {
        DynamoDbClientBuilder builder = builder();
        if (region != null) {
            builder.region(Region.of(region));
        }
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw Failures.translate(e, "");
        }
    }

    static DynamoDbClientBuilder builder() {
        return DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(ATTEMPT)
                        .socketTimeout(ATTEMPT))
                .overrideConfiguration(override -> override.retryStrategy(RetryMode.STANDARD)
                        .apiCallAttemptTimeout(ATTEMPT)
                        .apiCallTimeout(CALL));
    }
}

package dev.interlock.sqs;

import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Clients with the credentials that the environment has, patient enough for a long poll. */
public final class SqsClients {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ATTEMPT = SqsQueue.LONG_POLL.plusSeconds(10);
    private static final Duration CALL = ATTEMPT.multipliedBy(2);

    private SqsClients() {}

    public static SqsClient create(SqsAddress address) {
        SqsClientBuilder builder = builder();
        if (address.region() != null) {
            builder.region(Region.of(address.region()));
        }
        if (address.endpoint() != null) {
            builder.endpointOverride(address.endpoint());
        }
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw Failures.translate(e, address.queue());
        }
    }

    static SqsClientBuilder builder() {
        return SqsClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(ATTEMPT))
                .overrideConfiguration(override -> override.retryStrategy(RetryMode.STANDARD)
                        .apiCallAttemptTimeout(ATTEMPT)
                        .apiCallTimeout(CALL));
    }
}

package dev.interlock.sqs;

import dev.interlock.testing.elasticmq.ElasticMqServer;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A real server that speaks SQS, as clients see it. */
final class ElasticMq {
    private static final ElasticMq SHARED = new ElasticMq(ElasticMqServer.endpoint());

    private final URI endpoint;

    private ElasticMq(URI endpoint) {
        this.endpoint = endpoint;
    }

    static ElasticMq shared() {
        return SHARED;
    }

    URI endpoint() {
        return endpoint;
    }

    SqsAddress address(String queue) {
        return SqsAddress.parse("sqs://" + queue + "?region=elasticmq&endpoint=" + endpoint);
    }

    SqsClient client() {
        return SqsClients.builder()
                .region(Region.of("elasticmq"))
                .endpointOverride(endpoint)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("me", "secret")))
                .build();
    }

    /** A pair of queues that no other test has. */
    Queues queues(String name) {
        SqsClient client = client();
        SqsQueues.create(client, address(name));
        return Queues.find(client, name);
    }
}

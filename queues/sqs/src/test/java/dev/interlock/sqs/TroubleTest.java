package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.interlock.core.work.Outbox.WakeUp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Whatever is wrong with the queue is told in one clear sentence. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class TroubleTest {
    private final SqsClient client = ElasticMq.shared().client();

    @Test
    void the_queue_is_not_there() {
        says(finding(client, "nowhere.fifo"), "There is no queue 'nowhere.fifo'", "docs/sqs.md");
    }

    @Test
    void the_queue_is_not_fifo() {
        client.createQueue(request -> request.queueName("plain"));

        says(finding(client, "plain"), "is not a FIFO queue", "docs/sqs.md");
    }

    @Test
    void the_queue_has_no_dead_letters() {
        client.createQueue(request ->
                request.queueName("immortal.fifo").attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")));

        says(finding(client, "immortal.fifo"), "has no dead-letter queue", "redrive policy");
    }

    @Test
    void there_are_no_credentials() {
        SqsClient stranger = SqsClients.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(ElasticMq.shared().endpoint())
                .credentialsProvider(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()))
                .build();

        says(finding(stranger, "jobs.fifo"), "There are no AWS credentials here", "AWS_PROFILE");
    }

    @Test
    void the_region_does_not_exist() {
        SqsClient lost = at(Region.of("mars-north-1"), null);

        says(finding(lost, "jobs.fifo"), "its host name is not known", "Check the region");
    }

    @Test
    void nothing_listens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        says(
                finding(at(Region.EU_CENTRAL_1, URI.create("http://127.0.0.1:" + port)), "jobs.fifo"),
                "SQS cannot be reached",
                "Check the region, the endpoint and the network");
    }

    @Test
    void the_queues_are_made_as_they_must_be_and_may_be_made_again() {
        SqsAddress address = ElasticMq.shared().address("made.fifo");
        SqsQueues.create(client, address);
        SqsQueues.create(client, address);

        Queues made = Queues.find(client, "made.fifo");

        assertThat(made.dead().name()).isEqualTo("made-dlq.fifo");
        assertThat(made.wakeUps().attributes(QueueAttributeName.ALL))
                .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "600")
                .containsEntry(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "20")
                .containsEntry(QueueAttributeName.DELAY_SECONDS, "0")
                .containsEntry(QueueAttributeName.CONTENT_BASED_DEDUPLICATION, "true");
    }

    @Test
    void what_differs_from_how_it_must_be_is_told_with_advice() {
        SqsAddress address = ElasticMq.shared().address("described.fifo");
        SqsQueues.create(client, address);
        assertThat(SqsQueues.describe(client, address))
                .extracting(SqsQueues.Trait::advice)
                .containsOnlyNulls();

        String url = client.getQueueUrl(request -> request.queueName("described.fifo"))
                .queueUrl();
        client.setQueueAttributes(
                request -> request.queueUrl(url).attributes(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "30")));
        Queues.find(client, "described.fifo").dead().send(List.of(new WakeUp(1, "nobody's", "target")));

        assertThat(SqsQueues.describe(client, address).stream()
                        .filter(trait -> trait.advice() != null)
                        .map(trait -> trait.what() + ": " + trait.text()))
                .containsExactly("visibility timeout: 30 s", "dead letters: 1, the oldest sent 0 min ago");
        assertThat(Queues.find(client, "described.fifo").dead().receive(Duration.ZERO))
                .as("left for whoever looks next")
                .hasSize(1);
    }

    private static SqsClient at(Region region, URI endpoint) {
        return SqsClients.builder()
                .region(region)
                .endpointOverride(endpoint)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("me", "secret")))
                .build();
    }

    private static QueueUnavailable finding(SqsClient client, String queue) {
        return catchThrowableOfType(QueueUnavailable.class, () -> Queues.find(client, queue));
    }

    private static void says(QueueUnavailable trouble, String... words) {
        assertThat(trouble.getMessage()).contains(words).doesNotContain("\n").hasSizeLessThan(400);
    }
}

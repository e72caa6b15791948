package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.Outbox;
import dev.interlock.core.work.Outbox.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** From the outbox to the queue: everything, in order, and twice only when that is harmless. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class RelayTest {
    private final Database database = Database.shared().emptied();
    private final Outbox outbox = database.outbox();
    private SqsQueue queue;

    @BeforeEach
    void prepare(TestInfo test) {
        String name = "relay-" + Integer.toHexString(test.getDisplayName().hashCode()) + ".fifo";
        queue = ElasticMq.shared().queues(name).wakeUps();
        outbox.open("sqs://" + name, Duration.ofHours(1));
    }

    @Test
    void wake_ups_of_a_target_arrive_in_the_order_of_their_submission() {
        List<String> submitted = submit(25, "production/network");

        relayAll(relay());

        assertThat(received()).isEqualTo(submitted);
        assertThat(database.count("outbox")).isZero();
    }

    /** One relay takes and sends, and is killed before it can say so; when its time is over another sends again. */
    @Test
    void a_relay_that_was_killed_between_sending_and_saying_so_only_sends_again() {
        List<String> submitted = submit(10, "production/network");
        queue.send(outbox.take(SqsQueue.BATCH, SqsRelay.TAKEN));

        assertThat(relay().tick(queue)).as("while it may still be sending").isFalse();
        database.letTakenPass();
        relayAll(relay());

        assertThat(received()).isEqualTo(submitted);
        assertThat(database.count("outbox")).isZero();
    }

    @Test
    void two_relays_at_once_send_each_wake_up_once() {
        List<String> submitted = new ArrayList<>();
        IntStream.range(0, 100).forEach(at -> submitted.addAll(submit(1, "target/" + at)));

        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> relayAll(relay()));
        relayAll(relay());
        other.join();

        assertThat(received()).containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(database.count("outbox")).isZero();
    }

    /** Two people ask for the same within five minutes. */
    @Test
    void equal_requests_are_two_wake_ups() {
        WakeUp one = new WakeUp(1, "e1", "production/network");
        WakeUp other = new WakeUp(2, "e2", "production/network");
        WakeUp again = new WakeUp(3, "e1", "production/network");

        queue.send(List.of(one));
        queue.send(List.of(other, again));

        assertThat(received()).containsExactly("e1", "e2", "e1");
    }

    /** By its content, which is what the queue does when nobody names a message: the rule above must notice. */
    @Test
    void a_message_that_is_told_apart_by_its_content_is_swallowed() {
        try (var client = ElasticMq.shared().client()) {
            String url = client.getQueueUrl(request -> request.queueName(queue.name()))
                    .queueUrl();
            for (int time = 0; time < 2; time++) {
                client.sendMessage(
                        request -> request.queueUrl(url).messageGroupId("g").messageBody("restart"));
            }
        }

        assertThat(received()).containsExactly("restart");
    }

    @Test
    void names_that_sqs_does_not_accept_are_sent_all_the_same() {
        String execution = "лифт 電梯 %+ \uFFFE" + "x".repeat(200);
        WakeUp wakeUp = new WakeUp(1, execution, "prod/ünï cödé/" + "y".repeat(400));

        assertThat(queue.send(List.of(wakeUp))).containsExactly(wakeUp);

        assertThat(received()).containsExactly(execution);
    }

    private SqsRelay relay() {
        return new SqsRelay(database.outbox(), "sqs://" + queue.name(), System::nanoTime);
    }

    private void relayAll(SqsRelay relay) {
        boolean more = true;
        while (more) {
            more = relay.tick(queue);
        }
    }

    private List<String> submit(int many, String target) {
        List<String> ids =
                IntStream.range(0, many).mapToObj(at -> target + "#" + at).toList();
        ids.forEach(id -> database.submit(id, target));
        return ids;
    }

    private List<String> received() {
        List<String> all = new ArrayList<>();
        for (List<Message> some = queue.receive(Duration.ZERO); !some.isEmpty(); some = queue.receive(Duration.ZERO)) {
            some.forEach(message -> all.add(message.execution()));
            queue.delete(some);
        }
        return all;
    }
}

package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.work.Outbox.WakeUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** From the queue to the claimer: the row decides, whatever the queue delivers, and however often. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class DeliveryTest {
    private static final int MANY = 100;

    private final Database database = Database.shared().emptied();
    private final SqsWakeUps wakeUps = new SqsWakeUps(() -> false);
    private Queues queues;
    private SqsQueue queue;

    @BeforeEach
    void prepare(TestInfo test) {
        String name = "delivery-" + Integer.toHexString(test.getDisplayName().hashCode()) + ".fifo";
        queues = ElasticMq.shared().queues(name);
        queue = queues.wakeUps();
    }

    /**
     * What became of wake-ups for a target that is busy all the time.
     *
     * @param waiting how many executions are still pending
     */
    record Contention(int deliveries, int queued, int dead, int waiting) {}

    /** The reference counted each of them as a failure, and gave up after three. */
    @Test
    void a_hundred_contended_deliveries_leave_every_execution_queued_and_none_dead() {
        wakeUps.onWork(database::claim);

        assertThat(contend(() -> wakeUps.tick(queue))).isEqualTo(new Contention(MANY, 0, 0, MANY));

        database.finish("holder");
        assertThat(database.runAll())
                .as("found by looking, in order")
                .hasSize(MANY)
                .startsWith("e0", "e1", "e2");
        assertThat(database.count("attempts")).isEqualTo(MANY + 1);
    }

    /** As the reference does it: whoever cannot have the target lets the message come again. */
    @Test
    void giving_a_contended_message_back_is_caught() {
        Contention contention = contend(() -> {
            List<Message> messages = queue.receive(Duration.ZERO);
            assertThat(database.claim()).isEmpty();
            queue.giveBack(messages);
            return messages.size();
        });

        assertThat(contention.dead()).isPositive();
        assertThat(contention.deliveries()).isGreaterThan(MANY);
    }

    private interface Consuming {
        int some();
    }

    private Contention contend(Consuming consuming) {
        database.submit("holder", "busy");
        assertThat(database.claim()).contains("holder");
        for (int at = 0; at < MANY; at += SqsQueue.BATCH) {
            List<WakeUp> batch = new ArrayList<>();
            for (int number = at; number < at + SqsQueue.BATCH; number++) {
                database.submit("e" + number, "busy");
                batch.add(new WakeUp(number, "e" + number, "busy"));
            }
            queue.send(batch);
        }
        int deliveries = 0;
        for (int time = 0; time < MANY && queue.count() > 0; time++) {
            deliveries += consuming.some();
        }
        return new Contention(deliveries, queue.count(), queues.dead().count(), database.count("pending"));
    }

    /**
     * Worker one has received the message and claimed; the same wake-up is delivered to worker two, because a relay sent
     * it again after the queue had forgotten it. Two claims find one row.
     */
    @Test
    void a_wake_up_that_is_delivered_twice_runs_once() {
        wakeUps.onWork(database::runAll);

        assertThat(attempts(message -> wakeUps.wake())).isEqualTo(1);
    }

    /** Whoever runs what the message says, without asking the row: the rule above must notice. */
    @Test
    void running_by_the_message_is_caught() {
        List<String> ran = new ArrayList<>();

        attempts(message -> ran.add(message.execution()));

        assertThat(ran).hasSize(2);
    }

    /** Two deliveries of one wake-up, and how often its execution was attempted. */
    private int attempts(Consumer<Message> worker) {
        database.submit("e", "target");
        queue.send(List.of(new WakeUp(1, "e", "target")));
        queue.send(List.of(new WakeUp(2, "e", "target")));
        List<Message> delivered = queue.receive(Duration.ZERO);
        assertThat(delivered).extracting(Message::execution).containsExactly("e", "e");
        delivered.forEach(worker);
        return database.count("attempts");
    }

    /** The worker received, ran and committed, and was killed before it could delete; later the message shows again. */
    @Test
    void a_message_that_comes_again_after_the_end_is_dropped_without_a_second_run() {
        wakeUps.onWork(database::runAll);
        database.submit("e", "target");
        queue.send(List.of(new WakeUp(1, "e", "target")));
        List<Message> received = queue.receive(Duration.ZERO);
        assertThat(database.runAll()).containsExactly("e");
        queue.giveBack(received); // as when its ten minutes are over

        assertThat(wakeUps.tick(queue)).isEqualTo(1);

        assertThat(database.count("attempts")).isEqualTo(1);
        assertThat(queue.count()).isZero();
        queue.delete(received); // the first worker wakes, its receipt is void, and nobody minds
    }

    /** A message in flight would hide the next of its group for ten minutes. */
    @Test
    void a_message_never_stands_in_the_way_of_the_next_of_its_group() {
        for (int number = 0; number < 2; number++) {
            queue.send(List.of(new WakeUp(number, "e" + number, "target")));
            assertThat(wakeUps.tick(queue)).isEqualTo(1);
        }
    }

    @Test
    void what_a_closed_worker_still_receives_goes_to_another() {
        queue.send(List.of(new WakeUp(1, "e", "target")));

        new SqsWakeUps(() -> true).tick(queue);

        assertThat(queue.receive(Duration.ZERO)).extracting(Message::execution).containsExactly("e");
    }
}

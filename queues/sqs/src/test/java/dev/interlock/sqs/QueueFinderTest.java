package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What is told of a queue is told in the order in which it happened, whoever of several noticed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class QueueFinderTest {
    private final SqsClient client = ElasticMq.shared().client();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Health health = new Health(said::add);

    /**
     * The first to ask is told that there is none, and does not get to say so; then the queue is made; then the second
     * asks. Whatever the order in which their threads go on, the trouble must be over in the end.
     */
    @Test
    void an_answer_that_comes_late_is_not_told_after_a_newer_one() throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        QueueFinder finder = new QueueFinder(slow(answered, gate), "late.fifo", health);
        Thread first = Thread.ofPlatform().start(finder::find);
        answered.await();
        SqsQueues.create(client, ElasticMq.shared().address("late.fifo"));
        Thread second = Thread.ofPlatform().start(finder::find);
        while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }

        gate.countDown();
        first.join();
        second.join();

        assertThat(health.troubles()).isEmpty();
        assertThat(said).hasSize(2).last().isEqualTo("The queue answers again.");
    }

    @Test
    void a_failure_of_queues_that_another_has_given_up_is_no_news() {
        SqsQueues.create(client, ElasticMq.shared().address("old.fifo"));
        QueueFinder finder = new QueueFinder(client, "old.fifo", health);
        Queues old = Objects.requireNonNull(finder.find());

        assertThat(finder.failed("relay", old, new QueueUnavailable("gone."))).isTrue();
        assertThat(finder.failed("wake-ups", old, new QueueUnavailable("gone, too.")))
                .isFalse();
        finder.find();
        assertThat(finder.failed("wake-ups", old, new QueueUnavailable("gone, late.")))
                .isFalse();
        health.well("relay");

        assertThat(said).hasSize(2).last().isEqualTo("The queue answers again.");
    }

    /** Keeps its first answer to itself until the gate opens. */
    private SqsClient slow(CountDownLatch answered, CountDownLatch gate) {
        return (SqsClient) Proxy.newProxyInstance(
                QueueFinderTest.class.getClassLoader(), new Class<?>[] {SqsClient.class}, (proxy, verb, values) -> {
                    try {
                        return verb.invoke(client, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (answered.getCount() > 0) {
                            answered.countDown();
                            gate.await();
                        }
                    }
                });
    }
}

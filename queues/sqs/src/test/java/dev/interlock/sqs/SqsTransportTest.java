package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.core.Ports;
import dev.interlock.core.system.SystemPorts;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The whole way, with a queue that is not there, comes, goes, and comes again: nothing but wake-ups depends on it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(300)
class SqsTransportTest {
    private static final String QUEUE = "whole.fifo";
    private static final String GONE = "There is no queue 'whole.fifo'";
    private static final String BACK = "The queue answers again.";
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Database database = Database.shared().emptied();
    private final SqsClient client = ElasticMq.shared().client();
    private final SqsAddress address = ElasticMq.shared().address(QUEUE);
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();

    @Test
    void a_queue_that_comes_and_goes_is_told_once_each_time_and_costs_no_execution() throws InterruptedException {
        try (SqsTransport transport = transport()) {
            transport.onWork(() -> ran.addAll(database.runAll()));
            transport.start();

            assertThat(next(said)).startsWith(GONE).endsWith("nothing is lost.");
            assertThat(transport.findings()).singleElement().asString().startsWith(GONE);
            database.submit("without", "target");
            assertThat(database.runAll()).as("by looking").containsExactly("without");

            SqsQueues.create(client, address);
            assertThat(next(said)).isEqualTo(BACK);
            assertThat(transport.findings()).isEmpty();
            wakesFor("first");

            remove();
            assertThat(next(said)).startsWith(GONE);
            database.submit("meanwhile", "target");
            assertThat(database.runAll()).as("by looking").containsExactly("meanwhile");

            SqsQueues.create(client, address);
            assertThat(next(said)).isEqualTo(BACK);
            wakesFor("second");
            assertThat(said).isEmpty();
        }
    }

    /** The relay asks for wake-ups in its first turn after the queue was found; only then do submits leave any. */
    private void wakesFor(String execution) throws InterruptedException {
        while (database.count("open") == 0) {
            Thread.onSpinWait();
        }
        database.submit(execution, "target");
        assertThat(next(ran)).isEqualTo(execution);
    }

    private void remove() {
        String url = client.getQueueUrl(request -> request.queueName(QUEUE)).queueUrl();
        client.deleteQueue(request -> request.queueUrl(url));
    }

    private static String next(BlockingQueue<String> queue) throws InterruptedException {
        return queue.poll(100, TimeUnit.SECONDS);
    }

    private SqsTransport transport() {
        Ports real = SystemPorts.create();
        Ports.Timers quick = (delay, task) -> real.timers().after(delay.compareTo(SHORT) < 0 ? delay : SHORT, task);
        return new SqsTransport(
                ElasticMq.shared().client(),
                address,
                database.outbox(),
                database::phaseOf,
                new Ports(real.ticker(), quick, real.tasks(), real.entropy()),
                said::add);
    }
}

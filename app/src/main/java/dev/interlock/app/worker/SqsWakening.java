package dev.interlock.app.worker;

import dev.interlock.core.Ports;
import dev.interlock.core.work.WorkStores;
import dev.interlock.sqs.QueueLevels;
import dev.interlock.sqs.QueueUnavailable;
import dev.interlock.sqs.SqsAddress;
import dev.interlock.sqs.SqsClients;
import dev.interlock.sqs.SqsTransport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes a worker through SQS. Nothing else of a worker names a class of the transport, so that nobody loads the AWS SDK
 * who does not use it.
 */
final class SqsWakening implements Wakening {
    private static final Logger LOG = LoggerFactory.getLogger("Queue");
    private static final String PREFIX = "interlock_sqs_";

    private final SqsTransport transport;

    private SqsWakening(SqsTransport transport) {
        this.transport = transport;
    }

    /**
     * Begins to relay and to listen. Whatever is wrong with the queue is logged, and tried again.
     *
     * @throws IllegalArgumentException if that is no address, or nobody can know which region is meant
     */
    static Wakening start(String address, WorkStores stores, Ports ports, MeterRegistry registry) {
        SqsAddress queue = SqsAddress.parse(address);
        SqsTransport transport;
        try {
            transport = new SqsTransport(
                    SqsClients.create(queue),
                    queue,
                    stores.outbox(),
                    id -> stores.executions()
                            .find(id)
                            .map(standing -> standing.execution().phase()),
                    ports,
                    LOG::warn);
        } catch (QueueUnavailable e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        SqsWakening wakening = new SqsWakening(transport);
        wakening.showIn(registry);
        transport.start();
        return wakening;
    }

    @Override
    public void onWork(Runnable listener) {
        transport.onWork(listener);
    }

    private void showIn(MeterRegistry registry) {
        Gauge.builder(PREFIX + "reachable", transport, now -> now.isWell() ? 1 : 0)
                .description("Whether the queue answers, and all that is asked of it is allowed")
                .register(registry);
        gauge(registry, "messages", "Wake-ups in the queue, about", QueueLevels::waiting);
        gauge(
                registry,
                "dead_letters",
                "Messages in the dead-letter queue, about",
                now -> now.dead().count());
        gauge(
                registry,
                "dead_letter_oldest_age_seconds",
                "Since when the oldest of those that were looked at was sent",
                now -> now.dead().oldest().toMillis() / 1e3);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<QueueLevels> value) {
        Gauge.builder(PREFIX + name, transport, now -> {
                    QueueLevels levels = now.levels();
                    return levels == null ? Double.NaN : value.applyAsDouble(levels);
                })
                .description(description)
                .register(registry);
    }

    @Override
    public void close() {
        transport.close();
    }
}

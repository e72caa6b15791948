package dev.interlock.sqs;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.work.Outbox;
import dev.interlock.core.work.WakeUps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Wake-ups over a queue, for a worker: relays what was submitted, wakes when a message comes, looks after the dead
 * letters. Whatever is wrong with the queue is told once and tried again; nothing else depends on it.
 */
public final class SqsTransport implements WakeUps, AutoCloseable {
    private static final Duration RELAY_PAUSE = Duration.ofSeconds(1);
    private static final Duration POLL_PAUSE = Duration.ofMillis(100);
    private static final Duration DEAD_PAUSE = Duration.ofMinutes(1);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    /** One turn of a loop; answers how long to rest after it. */
    private interface Turn {
        Duration with(Queues queues);
    }

    private final SqsClient client;
    private final QueueFinder finder;
    private final Ports ports;
    private final Health health;
    private final SqsRelay relay;
    private final SqsWakeUps wakeUps = new SqsWakeUps(this::isClosed);
    private final DeadLetterWatch watch;
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile @Nullable QueueLevels levels;

    /**
     * A transport that does nothing until it is started.
     *
     * @param client closed by this transport
     * @param phaseOf the phase of an execution of this store
     * @param say takes sentences for whoever runs the worker
     */
    public SqsTransport(
            SqsClient client,
            SqsAddress address,
            Outbox outbox,
            Function<String, Optional<Phase>> phaseOf,
            Ports ports,
            Consumer<String> say) {
        this.client = client;
        this.ports = ports;
        this.health = new Health(say);
        this.finder = new QueueFinder(client, address.queue(), health);
        this.relay = new SqsRelay(outbox, address.toString(), ports.ticker());
        this.watch = new DeadLetterWatch(phaseOf, wakeUps::wake);
    }

    public void start() {
        running.set(3);
        ports.tasks().start("interlock-sqs-relay", () -> run("relay", this::relay));
        ports.tasks().start("interlock-sqs-wake-ups", () -> run("wake-ups", this::listen));
        ports.tasks().start("interlock-sqs-dead-letters", () -> run("dead letters", this::watch));
    }

    @Override
    public void onWork(Runnable listener) {
        wakeUps.onWork(listener);
    }

    /** As they were when last looked at, at most a minute ago; null while the queue does not answer. */
    public @Nullable QueueLevels levels() {
        return levels;
    }

    /** Whether the queue answers, and everything that is asked of it is allowed. */
    public boolean isWell() {
        return levels != null && health.troubles().isEmpty();
    }

    /** What a person should know, a sentence each; empty when all is well. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>(health.troubles());
        QueueLevels now = levels;
        if (now != null && now.dead().count() > 0) {
            findings.add(now.dead().sentence());
        }
        return findings;
    }

    private Duration relay(Queues found) {
        return relay.tick(found.wakeUps()) ? Duration.ZERO : RELAY_PAUSE;
    }

    private Duration listen(Queues found) {
        return wakeUps.tick(found.wakeUps()) > 0 ? Duration.ZERO : POLL_PAUSE;
    }

    private Duration watch(Queues found) {
        levels = new QueueLevels(found.wakeUps().count(), watch.tick(found.dead()));
        return DEAD_PAUSE;
    }

    private void run(String part, Turn turn) {
        Duration retry = FIRST_RETRY;
        try {
            while (!isClosed()) {
                Duration rest = turned(part, turn);
                ports.await(closing, rest == null ? retry : rest);
                retry = rest == null ? min(retry.multipliedBy(2), LONGEST_RETRY) : FIRST_RETRY;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (running.decrementAndGet() == 0) {
                client.close();
            }
        }
    }

    /** How long to rest after one turn; null when it came to nothing. */
    private @Nullable Duration turned(String part, Turn turn) {
        Queues found = finder.find();
        if (found == null) {
            return null;
        }
        try {
            Duration rest = turn.with(found);
            health.well(part);
            return rest;
        } catch (StoreUnavailable e) {
            return null; // which the worker tells, and is no trouble of the queue
        } catch (RuntimeException e) {
            if (finder.failed(part, found, e)) {
                levels = null;
            }
            return null;
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isClosed() {
        return closing.isDone();
    }

    /** Returns at once. A poll that is under way ends within its time; what it brings is given back. */
    @Override
    public void close() {
        closing.complete(null);
    }
}

package dev.interlock.metrics;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.work.Gauges;
import dev.interlock.core.work.Gauges.Level;
import dev.interlock.core.work.Gauges.Levels;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a store holds, asked every fifteen seconds in the background, so that nobody who reads the metrics waits
 * for the store. While it cannot answer, nothing is known, and nothing is shown but that.
 */
public final class WorkGauges implements AutoCloseable {
    static final Duration BETWEEN = Duration.ofSeconds(15);

    private final Gauges store;
    private final Ports ports;
    private final InstantSource clock;
    private final MeterRegistry registry;
    private final String prefix;
    private final MultiGauge running;
    private final MultiGauge longest;
    private volatile @Nullable Seen seen;
    private volatile boolean closed;

    /** @param offset by how much this machine's clock is ahead of the store's */
    private record Seen(Levels levels, Duration offset) {}

    private WorkGauges(Gauges store, MeterRegistry registry, String service, Ports ports, InstantSource clock) {
        LockMetrics.checkPrefix(service);
        this.store = store;
        this.ports = ports;
        this.clock = clock;
        this.registry = registry;
        this.prefix = service + "_";
        this.running = perWorkflow("jobs_running", "Attempts that run");
        this.longest = perWorkflow("jobs_running_duration_seconds", "For how long the oldest running attempt has run");
        bind();
    }

    /**
     * Begins to watch a store.
     *
     * @param clock of this machine, to be compared with the store's
     */
    public static WorkGauges watch(
            Gauges store, MeterRegistry registry, String service, Ports ports, InstantSource clock) {
        WorkGauges gauges = new WorkGauges(store, registry, service, ports, clock);
        gauges.look();
        return gauges;
    }

    private void bind() {
        count("queue_length", "Executions that wait, at most " + Gauges.MOST, Levels::pending);
        count("queue_ready", "Executions that a worker could start now, at most " + Gauges.MOST, Levels::ready);
        age("queue_oldest_age_seconds", "Since when the oldest of them waits", Levels::pending);
        count("dead_letters", "Executions that wait for a person, at most " + Gauges.MOST, Levels::dead);
        age("dead_letter_oldest_age_seconds", "Since when the oldest of them waits for a person", Levels::dead);
        count("stale_locks", "Attempts whose lease is over and that nobody has put right", Levels::stale);
        age("stale_lock_age_seconds", "Since when the longest of these leases is over", Levels::stale);
        gauge("clock_offset_seconds", "By how much this clock is ahead of the store's", now -> seconds(now.offset()));
        Gauge.builder(prefix + "store_reachable", this, gauges -> gauges.seen == null ? 0 : 1)
                .description("Whether the store answered when it was last asked")
                .register(registry);
    }

    private void look() {
        ports.tasks().start("interlock-gauges", () -> {
            if (!closed) {
                read();
                ports.timers().after(BETWEEN, this::look);
            }
        });
    }

    private void read() {
        try {
            Instant before = clock.instant();
            Levels levels = store.levels();
            Duration half = Duration.between(before, clock.instant()).dividedBy(2);
            show(new Seen(levels, Duration.between(levels.seenAt(), before.plus(half))));
        } catch (StoreUnavailable e) {
            show(null);
        }
    }

    private void show(@Nullable Seen now) {
        seen = now;
        List<Row<?>> counts = new ArrayList<>();
        List<Row<?>> ages = new ArrayList<>();
        if (now != null) {
            now.levels().running().forEach((workflow, level) -> {
                Tags tags = Tags.of("workflow", workflow);
                counts.add(Row.of(tags, level.count()));
                ages.add(Row.of(tags, age(now.levels(), level)));
            });
        }
        running.register(counts, true);
        longest.register(ages, true);
    }

    private static double age(Levels levels, Level level) {
        Instant oldest = level.oldest();
        return oldest == null ? 0 : seconds(Duration.between(oldest, levels.seenAt()));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private void count(String name, String description, Function<Levels, Level> part) {
        gauge(name, description, now -> part.apply(now.levels()).count());
    }

    private void age(String name, String description, Function<Levels, Level> part) {
        gauge(name, description, now -> age(now.levels(), part.apply(now.levels())));
    }

    private void gauge(String name, String description, ToDoubleFunction<Seen> value) {
        Gauge.builder(prefix + name, this, gauges -> {
                    Seen now = gauges.seen;
                    return now == null ? Double.NaN : value.applyAsDouble(now);
                })
                .description(description)
                .register(registry);
    }

    private MultiGauge perWorkflow(String name, String description) {
        return MultiGauge.builder(prefix + name).description(description).register(registry);
    }

    @Override
    public void close() {
        closed = true;
    }
}

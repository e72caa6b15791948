package dev.interlock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.work.Gauges;
import dev.interlock.testing.promtool.Promtool;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkGaugesTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final Gauges.Levels LEVELS = new Gauges.Levels(
            NOON,
            new Gauges.Level(7, NOON.minusSeconds(70)),
            new Gauges.Level(3, NOON.minusSeconds(30)),
            new Gauges.Level(2, NOON.minusSeconds(7200)),
            new Gauges.Level(1, NOON.minusSeconds(310)),
            Map.of("deploy", new Gauges.Level(4, NOON.minusSeconds(5401))));

    private final ManualPorts time = new ManualPorts(3);
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicInteger asked = new AtomicInteger();
    private boolean down;

    private WorkGauges watch() {
        Gauges store = () -> {
            asked.incrementAndGet();
            if (down) {
                throw new StoreUnavailable(StoreUnavailable.Kind.UNREACHABLE, "The line is bad.");
            }
            return LEVELS;
        };
        WorkGauges gauges = WorkGauges.watch(store, registry, "interlock", time.ports(), () -> NOON.plusSeconds(2));
        time.advance(Duration.ZERO);
        return gauges;
    }

    @Test
    void everything_that_the_store_holds_is_shown() {
        watch();

        assertThat(samples())
                .containsExactlyInAnyOrder(
                        "interlock_queue_length 7.0",
                        "interlock_queue_ready 3.0",
                        "interlock_queue_oldest_age_seconds 70.0",
                        "interlock_dead_letters 2.0",
                        "interlock_dead_letter_oldest_age_seconds 7200.0",
                        "interlock_stale_locks 1.0",
                        "interlock_stale_lock_age_seconds 310.0",
                        "interlock_jobs_running{workflow=\"deploy\"} 4.0",
                        "interlock_jobs_running_duration_seconds{workflow=\"deploy\"} 5401.0",
                        "interlock_clock_offset_seconds 2.0",
                        "interlock_store_reachable 1.0");
    }

    @Test
    void the_store_is_asked_every_fifteen_seconds_however_often_somebody_looks() {
        watch();
        samples();
        samples();
        time.advance(Duration.ofSeconds(14));
        assertThat(asked).hasValue(1);

        time.advance(Duration.ofSeconds(1));
        assertThat(asked).hasValue(2);
    }

    @Test
    void while_the_store_cannot_answer_nothing_is_claimed_to_be_known() {
        watch();
        down = true;
        time.advance(WorkGauges.BETWEEN);

        assertThat(samples())
                .contains("interlock_store_reachable 0.0", "interlock_queue_length NaN")
                .noneMatch(line -> line.startsWith("interlock_jobs_running"));

        down = false;
        time.advance(WorkGauges.BETWEEN);

        assertThat(samples()).contains("interlock_store_reachable 1.0", "interlock_queue_length 7.0");
    }

    @Test
    void nobody_asks_any_more_once_it_is_closed() {
        watch().close();
        time.advance(Duration.ofMinutes(5));

        assertThat(asked).hasValue(1);
    }

    @Test
    void the_names_and_types_please_prometheus() throws IOException {
        watch();

        Promtool.Result lint =
                Promtool.run(Path.of("."), registry.scrape().getBytes(StandardCharsets.UTF_8), "check", "metrics");

        assertThat(lint).isEqualTo(new Promtool.Result(0, ""));
    }

    private List<String> samples() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).toList();
    }
}

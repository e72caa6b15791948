package dev.interlock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Force;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Identity;
import dev.interlock.core.LockEvent;
import dev.interlock.core.LockName;
import dev.interlock.core.Locks;
import dev.interlock.core.Loss;
import dev.interlock.core.Options;
import dev.interlock.core.Refusal;
import dev.interlock.core.Settings;
import dev.interlock.memory.Memory;
import dev.interlock.memory.MemoryLockStore;
import dev.interlock.testing.promtool.Promtool;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LockMetricsTest {
    private static final LockName NAME = LockName.of("prod/db");
    private static final Duration TEN_MS = Duration.ofMillis(10);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LockMetrics metrics = new LockMetrics(registry, "gateway");

    @Test
    void the_locks_of_a_process_are_counted_from_the_attempt_to_the_end() throws Exception {
        ManualPorts time = new ManualPorts(42);
        Instant start = Instant.parse("2026-11-16T14:00:00Z");
        try (MemoryLockStore store = new MemoryLockStore(new Memory(() -> start.plus(time.elapsed())));
                Locks locks =
                        new Locks(store, new Identity("a:1:b", "alice"), Settings.DEFAULT, time.ports(), metrics)) {
            HeldLock first = locks.acquire("prod/db");
            locks.tryAcquire("prod/db", Options.refusing());
            time.advance(Duration.ofSeconds(5));
            first.close();
            HeldLock second = locks.acquire("prod/db");
            store.force(new Force(second.name(), second.token(), "oncall", "wrong cluster", true));
            time.advance(Duration.ofSeconds(30));
            assertThat(second.isHeld()).isFalse();
        }

        assertThat(samples())
                .contains(
                        "gateway_lock_acquisition_attempts_total 3.0",
                        "gateway_lock_acquisition_successes_total 2.0",
                        "gateway_lock_acquisition_failures_total{reason=\"contention\"} 1.0",
                        "gateway_lock_acquisition_duration_seconds_count 3",
                        "gateway_lock_releases_total 1.0",
                        "gateway_lock_losses_total{reason=\"forced\"} 1.0",
                        "gateway_lock_hold_duration_seconds_count 2");
    }

    @Test
    void each_outcome_has_its_reason() {
        metrics.saw(new LockEvent.Refused(NAME, new Refusal.WaitedTooLong(NAME, TEN_MS, null), TEN_MS));
        metrics.saw(new LockEvent.Unanswered(NAME, TEN_MS));
        metrics.saw(new LockEvent.Unanswered(NAME, TEN_MS));
        metrics.saw(new LockEvent.Abandoned(NAME, TEN_MS));
        metrics.saw(new LockEvent.Refused(NAME, new Refusal.Cancelled(NAME), TEN_MS));
        metrics.saw(new LockEvent.Refused(NAME, new Refusal.Cancelled(NAME), TEN_MS));
        for (Loss.Cause cause : Loss.Cause.values()) {
            metrics.saw(new LockEvent.Lost(NAME, cause, TEN_MS));
        }

        assertThat(samples())
                .contains(
                        "gateway_lock_acquisition_failures_total{reason=\"contention\"} 1.0",
                        "gateway_lock_acquisition_failures_total{reason=\"api_error\"} 2.0",
                        "gateway_lock_acquisition_failures_total{reason=\"cancelled\"} 3.0",
                        "gateway_lock_losses_total{reason=\"expired\"} 1.0",
                        "gateway_lock_losses_total{reason=\"unconfirmed\"} 1.0",
                        "gateway_lock_losses_total{reason=\"held_too_long\"} 1.0");
    }

    /** So that a rate sees the first of its kind, and an edge lies where the target does. */
    @Test
    void every_series_is_there_before_anything_happens() {
        assertThat(samples())
                .contains(
                        "gateway_lock_acquisition_attempts_total 0.0",
                        "gateway_lock_acquisition_successes_total 0.0",
                        "gateway_lock_acquisition_failures_total{reason=\"contention\"} 0.0",
                        "gateway_lock_acquisition_failures_total{reason=\"api_error\"} 0.0",
                        "gateway_lock_acquisition_failures_total{reason=\"cancelled\"} 0.0",
                        "gateway_lock_acquisition_duration_seconds_bucket{le=\"0.02\"} 0",
                        "gateway_lock_hold_duration_seconds_bucket{le=\"30.0\"} 0",
                        "gateway_lock_releases_total 0.0",
                        "gateway_lock_losses_total{reason=\"expired\"} 0.0");
    }

    @Test
    void the_names_and_types_please_prometheus() throws IOException {
        metrics.saw(new LockEvent.Attempted(NAME));

        Promtool.Result lint =
                Promtool.run(Path.of("."), registry.scrape().getBytes(StandardCharsets.UTF_8), "check", "metrics");

        assertThat(lint).isEqualTo(new Promtool.Result(0, ""));
    }

    @Test
    void prometheus_would_complain_of_a_name_against_its_rules() throws IOException {
        byte[] exposition = "# TYPE gatewayLocks counter\ngatewayLocks 1\n".getBytes(StandardCharsets.UTF_8);

        assertThat(Promtool.run(Path.of("."), exposition, "check", "metrics").status())
                .isNotZero();
    }

    @Test
    void two_services_count_apart_in_one_registry() {
        LockMetrics other = new LockMetrics(registry, "ro");

        other.saw(new LockEvent.Attempted(NAME));

        assertThat(samples())
                .contains("ro_lock_acquisition_attempts_total 1.0", "gateway_lock_acquisition_attempts_total 0.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7up", "Gateway", "my-service", "a.b", "_a", "a__b", "a b", "ä"})
    void a_prefix_that_would_be_changed_on_the_way_is_refused(String prefix) {
        assertThatThrownBy(() -> new LockMetrics(registry, prefix)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<String> samples() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).toList();
    }
}

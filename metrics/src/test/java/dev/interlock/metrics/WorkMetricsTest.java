package dev.interlock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.contract.ManualPorts;
import dev.interlock.core.Force;
import dev.interlock.core.Identity;
import dev.interlock.core.Lease;
import dev.interlock.core.LockEvent;
import dev.interlock.core.LockName;
import dev.interlock.core.LockStore;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.OnBusy;
import dev.interlock.core.execution.Request;
import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.ExecutionStore;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.ObservedExecutions;
import dev.interlock.core.work.WorkEvent;
import dev.interlock.core.work.WorkEvent.Repair;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.engine.Handler;
import dev.interlock.engine.Permanent;
import dev.interlock.engine.Worker;
import dev.interlock.engine.WorkerSettings;
import dev.interlock.engine.Workplace;
import dev.interlock.memory.Ledger;
import dev.interlock.memory.Memory;
import dev.interlock.memory.MemoryCatalogue;
import dev.interlock.memory.MemoryExecutionStore;
import dev.interlock.memory.MemoryLockStore;
import dev.interlock.memory.MemoryLogs;
import dev.interlock.memory.MemoryWorkers;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker on the memory store, and what its metrics say of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class WorkMetricsTest {
    private static final Instant START = Instant.parse("2026-11-16T14:00:00Z");
    private static final String TARGET = "prod/db";

    private final ManualPorts time = new ManualPorts(7);
    private final Memory memory = new Memory(() -> START.plus(time.elapsed()));
    private final Ledger ledger = new Ledger(memory);
    private final LockStore locks = new MemoryLockStore(memory);
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final WorkMetrics metrics = new WorkMetrics(registry, "interlock");
    private final ExecutionStore executions = new ObservedExecutions(
            new MemoryExecutionStore(ledger), metrics, time.ports().ticker());

    @Test
    void an_execution_is_counted_from_its_request_to_its_end() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        declare();
        submit(OnBusy.QUEUE);
        time.advance(Duration.ofSeconds(5));
        work(work -> gate.get());
        time.advance(Duration.ofSeconds(50));
        gate.complete(null);
        time.advance(Duration.ZERO);

        assertThat(samples())
                .contains(
                        "interlock_submissions_total 1.0",
                        "interlock_lock_acquisition_attempts_total 1.0",
                        "interlock_lock_acquisition_successes_total 1.0",
                        "interlock_lock_acquisition_duration_seconds_count 1",
                        "interlock_wait_duration_seconds_sum 5.0",
                        "interlock_attempts_total{outcome=\"completed\"} 1.0",
                        "interlock_lock_held_duration_seconds_sum{workflow=\"deploy\"} 50.0",
                        "interlock_lock_releases_total 1.0",
                        "interlock_consecutive_failures{workflow=\"deploy\"} 0.0");
    }

    @Test
    void failures_are_counted_in_a_row_until_one_completes() {
        work(work -> {
            if (!work.parameters().containsKey("well")) {
                throw new Permanent("BROKEN", "It is broken.");
            }
        });
        submit("a", Map.of());
        submit("b", Map.of());

        assertThat(samples())
                .contains(
                        "interlock_attempts_total{outcome=\"failed\"} 2.0",
                        "interlock_dead_lettered_total 2.0",
                        "interlock_consecutive_failures{workflow=\"deploy\"} 2.0");

        submit("c", Map.of("well", "yes"));

        assertThat(samples()).contains("interlock_consecutive_failures{workflow=\"deploy\"} 0.0");
    }

    @Test
    void a_refusal_has_its_reason_and_a_busy_target_is_contention() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        work(work -> gate.get());
        submit(OnBusy.QUEUE);
        submit(OnBusy.REFUSE);
        gate.complete(null);
        time.advance(Duration.ZERO);

        assertThat(samples())
                .contains(
                        "interlock_submissions_total 1.0",
                        "interlock_refusals_total{reason=\"ResourceBusy\"} 1.0",
                        "interlock_lock_acquisition_failures_total{reason=\"contention\"} 1.0");
    }

    @Test
    void a_forced_release_is_a_lost_lock() {
        work(work -> new CompletableFuture<Void>().get());
        submit(OnBusy.QUEUE);
        long token = locks.find(LockName.of(TARGET)).orElseThrow().token();
        locks.force(new Force(LockName.of(TARGET), token, "oncall", "wrong cluster", false));
        time.advance(Duration.ofSeconds(15));

        assertThat(samples())
                .contains(
                        "interlock_lock_losses_total{reason=\"forced\"} 1.0",
                        "interlock_attempts_total{outcome=\"failed\"} 1.0");
    }

    @Test
    void what_a_stale_token_tells_is_counted_as_fenced() {
        declare();
        Execution execution =
                executions.find(submit(OnBusy.QUEUE)).orElseThrow().execution();

        executions.finish(List.of(new Finish(execution, 99, new Finish.Outcome.Completed(0))));

        assertThat(samples())
                .contains(
                        "interlock_fenced_writes_rejected_total 1.0",
                        "interlock_attempts_total{outcome=\"completed\"} 0.0");
    }

    @Test
    void what_was_not_begun_counts_as_handed_back_and_not_as_an_attempt() {
        declare();
        submit(OnBusy.QUEUE);
        Claimed claimed = executions.claim(alice(), 1).started().getFirst();

        executions.finish(List.of(Finish.of(claimed, new Finish.Outcome.HandedBack("it leaves"))));

        assertThat(samples())
                .contains(
                        "interlock_handed_back_total 1.0",
                        "interlock_attempts_total{outcome=\"retried\"} 0.0",
                        "interlock_lock_acquisition_successes_total 1.0");
    }

    /** By whoever claims: nobody refused it, and it is no attempt of its own each time somebody looks. */
    @Test
    void an_execution_that_has_to_stand_in_line_is_contention_once() {
        declare();
        submit(OnBusy.QUEUE);
        submit("other", Map.of());
        submit(OnBusy.QUEUE);

        executions.claim(alice(), 10);
        executions.claim(alice(), 10);

        assertThat(samples())
                .contains(
                        "interlock_lock_acquisition_failures_total{reason=\"contention\"} 1.0",
                        "interlock_lock_acquisition_successes_total 2.0",
                        "interlock_lock_acquisition_attempts_total 3.0",
                        "interlock_refusals_total{reason=\"ResourceBusy\"} 0.0");
    }

    @Test
    void the_other_events_have_their_names() {
        metrics.saw(new WorkEvent.Unanswered(Duration.ofMillis(3)));
        metrics.saw(new WorkEvent.HandedBack("deploy"));
        metrics.saw(new WorkEvent.OfLock(new LockEvent.Unrenewed()));
        metrics.saw(new WorkEvent.Swept(Duration.ofMillis(3)));
        for (Repair repair : Repair.values()) {
            metrics.saw(new WorkEvent.Repaired(repair));
        }

        assertThat(samples())
                .contains(
                        "interlock_lock_acquisition_failures_total{reason=\"api_error\"} 1.0",
                        "interlock_handed_back_total 1.0",
                        "interlock_lock_renewal_failures_total 1.0",
                        "interlock_janitor_rounds_total 1.0",
                        "interlock_janitor_actions_total{kind=\"gone_worker\"} 1.0",
                        "interlock_stale_locks_cleaned_total 3.0",
                        "interlock_takeovers_total 1.0",
                        "interlock_invariant_violations_total 1.0");
    }

    /** So that a rate sees the first of its kind. */
    @Test
    void every_series_is_there_before_anything_happens() {
        assertThat(samples())
                .contains(
                        "interlock_refusals_total{reason=\"ExhaustedRetries\"} 0.0",
                        "interlock_attempts_total{outcome=\"retried\"} 0.0",
                        "interlock_janitor_actions_total{kind=\"expired_attempt\"} 0.0",
                        "interlock_invariant_violations_total 0.0",
                        "interlock_janitor_rounds_total 0.0");
    }

    @Test
    void no_target_becomes_a_label() {
        work(work -> {});
        submit(OnBusy.QUEUE);

        assertThat(registry.scrape()).doesNotContain(TARGET);
    }

    @Test
    void an_observer_that_throws_costs_nobody_an_execution() {
        ExecutionStore watched = new ObservedExecutions(
                new MemoryExecutionStore(ledger),
                event -> {
                    throw new IllegalStateException("a bug");
                },
                time.ports().ticker());

        assertThat(watched.submit(List.of(Request.of("deploy", TARGET, Map.of(), "bob"))))
                .hasSize(1);
    }

    @Test
    void the_names_and_types_please_prometheus() throws IOException {
        work(work -> {});
        submit(OnBusy.QUEUE);

        Promtool.Result lint =
                Promtool.run(Path.of("."), registry.scrape().getBytes(StandardCharsets.UTF_8), "check", "metrics");

        assertThat(lint).isEqualTo(new Promtool.Result(0, ""));
    }

    private Claimant alice() {
        Lease lease = new Lease(time.ports().randomId(), "alice-host:1:abc", "alice", Duration.ofSeconds(30));
        Identity alice = new Identity(lease.owner(), lease.user());
        return new Claimant(alice, Map.of(lease.duration(), lease), Set.of("deploy"));
    }

    private void declare() {
        Catalogue declared = new Catalogue(Map.of("deploy", Workflow.plain("deploy")), Map.of());
        new MemoryCatalogue(ledger).publish(declared, "the test");
    }

    private Worker work(Handler handler) {
        declare();
        Workplace place = new Workplace(
                new MemoryExecutionStore(ledger),
                new MemoryCatalogue(ledger),
                new MemoryWorkers(ledger),
                new MemoryLogs(ledger),
                locks,
                new Identity("alice-host:1:abc", "alice"),
                time.ports());
        Worker worker = Worker.at(place)
                .with(WorkerSettings.DEFAULT.withPrefetch(0).withSlots(1))
                .observedBy(metrics)
                .handling("deploy", handler)
                .start();
        time.advance(Duration.ZERO);
        return worker;
    }

    private String submit(OnBusy onBusy) {
        return submit(Request.of("deploy", TARGET, Map.of(), "bob").withOnBusy(onBusy));
    }

    private void submit(String target, Map<String, String> parameters) {
        submit(Request.of("deploy", target, parameters, "bob"));
    }

    private String submit(Request request) {
        String id = executions.submit(List.of(request)).getFirst().execution().id();
        time.advance(Duration.ZERO);
        return id;
    }

    private List<String> samples() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).toList();
    }
}

package dev.interlock.metrics;

import dev.interlock.core.LockEvent;
import dev.interlock.core.admission.Rule;
import dev.interlock.core.work.WorkEvent;
import dev.interlock.core.work.WorkEvent.Outcome;
import dev.interlock.core.work.WorkEvent.Repair;
import dev.interlock.core.work.WorkObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts and times the executions of one process under its own prefix, and with them its locks, by the same names as
 * {@link LockMetrics}. Workflows are labels, targets are not: there may be any number of them.
 *
 * <pre>{@code
 * Worker worker = Worker.at(workplace).observedBy(new WorkMetrics(registry, "interlock")).handling(…).start();
 * }</pre>
 */
public final class WorkMetrics implements WorkObserver {
    private static final Duration[] WAIT =
            LockMetrics.edges(10, 100, 1000, 10_000, 60_000, 300_000, 1_800_000, 3_600_000, 14_400_000, 86_400_000);
    private static final Duration[] HELD =
            LockMetrics.edges(10, 100, 1000, 10_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 5_400_000);

    private static final Set<Rule> CONTENTION = EnumSet.of(Rule.RESOURCE_BUSY, Rule.FROZEN);
    private static final Set<Repair> STALE_LOCKS =
            EnumSet.of(Repair.EXPIRED_ATTEMPT, Repair.LOCK_STATE_LOST, Repair.ORPHANED_LOCK);

    private final MeterRegistry registry;
    private final String prefix;
    private final LockMetrics locks;
    private final Counter submissions;
    private final Counter handedBack;
    private final Counter deadLetters;
    private final Counter fenced;
    private final Counter staleLocks;
    private final Counter takeovers;
    private final Counter invariants;
    private final Counter rounds;
    private final Timer wait;
    private final Map<String, OfWorkflow> workflows = new ConcurrentHashMap<>();

    /** @param inARow how many attempts have failed since the last that completed */
    private record OfWorkflow(Timer held, AtomicInteger inARow) {}

    /**
     * All series whose labels are known are there from the beginning: a rate does not see the step from nothing to one.
     *
     * @param service begins every name: a to z, 0 to 9 and single underscores, such as {@code interlock}
     */
    public WorkMetrics(MeterRegistry registry, String service) {
        this.locks = new LockMetrics(registry, service);
        this.registry = registry;
        this.prefix = service + "_";
        this.submissions = counter("submissions", "Requests that became executions");
        this.handedBack = counter("handed_back", "Attempts given back before anything of them had run");
        this.deadLetters = counter("dead_lettered", "Executions that failed for good and wait for a person");
        this.fenced = counter("fenced_writes_rejected", "Reports on attempts refused for a stale token or phase");
        this.staleLocks = counter("stale_locks_cleaned", "Locks of dead or lost runners that the janitor cleaned up");
        this.takeovers = counter("takeovers", "Attempts that the janitor closed because their worker was gone");
        this.invariants = counter("invariant_violations", "Locks seen held twice at once");
        this.rounds = counter("janitor_rounds", "Rounds of the janitor that leads");
        this.wait = timer("wait_duration", "From a request to its first start", WAIT)
                .register(registry);
        Set.of(Rule.values()).forEach(rule -> refusals(rule.code()));
        Set.of(Outcome.values()).forEach(this::attempts);
        Set.of(Repair.values()).forEach(this::repairs);
    }

    @Override
    public void saw(WorkEvent event) {
        switch (event) {
            case WorkEvent.Submitted submitted -> submissions.increment();
            case WorkEvent.Refused(String reason) -> refused(reason);
            case WorkEvent.Claimed claimed -> claimed(claimed);
            case WorkEvent.Parked(int executions) -> locks.contended(executions);
            case WorkEvent.Unanswered(Duration took) -> locks.unanswered(took);
            case WorkEvent.Ended(String workflow, Outcome outcome, Duration held) -> ended(workflow, outcome, held);
            case WorkEvent.HandedBack(String workflow) -> handedBack.increment();
            case WorkEvent.DeadLettered(String workflow) -> deadLetters.increment();
            case WorkEvent.Fenced stale -> fenced.increment();
            case WorkEvent.OfLock(LockEvent ofLock) -> locks.saw(ofLock);
            case WorkEvent.Swept(Duration took) -> rounds.increment();
            case WorkEvent.Repaired(Repair repair) -> repaired(repair);
        }
    }

    private void refused(String reason) {
        refusals(reason).increment();
        if (CONTENTION.stream().anyMatch(rule -> rule.code().equals(reason))) {
            locks.contended(1);
        }
    }

    private void claimed(WorkEvent.Claimed claimed) {
        locks.claimed(claimed.took());
        if (claimed.waited() != null) {
            wait.record(claimed.waited());
        }
    }

    private void ended(String workflow, Outcome outcome, Duration held) {
        attempts(outcome).increment();
        OfWorkflow of = workflows.computeIfAbsent(workflow, this::workflow);
        of.held().record(held);
        switch (outcome) {
            case COMPLETED -> of.inARow().set(0);
            case FAILED, RETRIED -> of.inARow().incrementAndGet();
            case CANCELLED -> {}
        }
    }

    private OfWorkflow workflow(String workflow) {
        AtomicInteger inARow = new AtomicInteger();
        Gauge.builder(prefix + "consecutive_failures", inARow, AtomicInteger::get)
                .description("Attempts of this process that failed since the last that completed")
                .tag("workflow", workflow)
                .register(registry);
        Timer held = timer("lock_held_duration", "From the grant of an attempt's lock to its end", HELD)
                .tag("workflow", workflow)
                .register(registry);
        return new OfWorkflow(held, inARow);
    }

    private void repaired(Repair repair) {
        repairs(repair).increment();
        if (STALE_LOCKS.contains(repair)) {
            staleLocks.increment();
        }
        switch (repair) {
            case EXPIRED_ATTEMPT -> takeovers.increment();
            case OVERLAPPING_GRANTS -> invariants.increment();
            default -> {}
        }
    }

    private Counter refusals(String reason) {
        return labelled("refusals", "Requests refused when they arrived", "reason", reason);
    }

    private Counter attempts(Outcome outcome) {
        return labelled("attempts", "Attempts that came to an end", "outcome", word(outcome));
    }

    private Counter repairs(Repair repair) {
        return labelled("janitor_actions", "What the janitor put right, or told", "kind", word(repair));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(prefix + name).description(description).register(registry);
    }

    private Counter labelled(String name, String description, String label, String value) {
        return Counter.builder(prefix + name)
                .description(description)
                .tag(label, value)
                .register(registry);
    }

    private Timer.Builder timer(String name, String description, Duration... edges) {
        return Timer.builder(prefix + name).description(description).serviceLevelObjectives(edges);
    }
}

package dev.interlock.core.admission;

import dev.interlock.core.Holder;
import dev.interlock.core.Lock;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Lifecycle;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.workflow.Backoff;
import dev.interlock.core.workflow.Policy;
import dev.interlock.core.workflow.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One method for each rule. None looks at what another says; the order is not their business. */
final class Rules {
    private Rules() {}

    static Ruling judge(Rule rule, Case of) {
        return switch (rule) {
            case INVALID_SPEC -> spec(of);
            case INVALID_STATE -> state(of);
            case PREVIOUS_EXECUTION_FAILED -> previousFailure(of);
            case EXHAUSTED_RETRIES -> exhausted(of);
            case BACKOFF -> backoff(of);
            case COOLDOWN -> cooldown(of);
            case FROZEN -> frozen(of);
            case RESOURCE_BUSY -> busy(of);
        };
    }

    private static Ruling spec(Case of) {
        List<String> faults = new ArrayList<>(of.candidate().request().faults());
        Resource resource = of.situation().resource();
        String workflow = workflow(of);
        if (faults.isEmpty()) {
            faults.addAll(of.faults());
        }
        if (faults.isEmpty() && resource != null && resource.lifecycle().step(workflow) == null) {
            faults.add(resource.lifecycle().unknown(workflow));
        }
        return faults.isEmpty()
                ? green(Rule.INVALID_SPEC, "Target, workflow and parameters are well formed.")
                : new Ruling.Red(new Reason.InvalidSpec(of.asked(), List.copyOf(faults)));
    }

    private static Ruling state(Case of) {
        Resource resource = of.situation().resource();
        if (resource == null) {
            return green(Rule.INVALID_STATE, "The target has no lifecycle.");
        }
        String workflow = workflow(of);
        // A workflow that the lifecycle does not have is malformed; no state would allow it.
        if (resource.lifecycle().step(workflow) == null
                || resource.allows(workflow, of.candidate().execution())) {
            String namesake = of.situation().namesake();
            return namesake == null
                    ? green(Rule.INVALID_STATE, "The resource is " + resource.state() + ".")
                    : new Ruling.Red(new Reason.NameTaken(of.asked(), resource.state(), namesake));
        }
        return new Ruling.Red(
                new Reason.InvalidState(of.asked(), resource.state(), resource.startsFrom(workflow), resource.under()));
    }

    private static Ruling previousFailure(Case of) {
        Scope scope = of.policy().block();
        if (scope == null) {
            return green(Rule.PREVIOUS_EXECUTION_FAILED, "Failures do not block this workflow.");
        }
        Resource resource = of.situation().resource();
        List<History.Entry> uncleared = of.history().in(scope, workflow(of)).stream()
                .filter(failure -> failure.leftDoubt() && !failure.cleared())
                .filter(failure -> !isRecovered(failure, of.history(), resource))
                .toList();
        if (uncleared.isEmpty()) {
            return green(Rule.PREVIOUS_EXECUTION_FAILED, "No failure waits for a person.");
        }
        List<History.Entry> blocking = uncleared.stream()
                .filter(failure -> !recovers(workflow(of), failure, resource))
                .toList();
        return blocking.isEmpty()
                ? green(Rule.PREVIOUS_EXECUTION_FAILED, workflow(of) + " is a recovery from what has failed.")
                : new Ruling.Red(new Reason.PreviousExecutionFailed(
                        of.asked(), blocking.get(blocking.size() - 1), blocking.size()));
    }

    private static boolean isRecovered(History.Entry failure, History history, @Nullable Resource resource) {
        return history.after(failure).stream()
                .anyMatch(later -> later.completed() && recovers(later.workflow(), failure, resource));
    }

    /** The lifecycle is the authority on recovery. */
    private static boolean recovers(String workflow, History.Entry failure, @Nullable Resource resource) {
        if (resource == null) {
            return false;
        }
        Lifecycle lifecycle = resource.lifecycle();
        Declaration.Step failed = lifecycle.step(failure.workflow());
        // Of a workflow that the lifecycle has lost since, only the present state tells where it led.
        String left = failed == null ? resource.state() : failed.onFailure().text();
        return lifecycle.recoversFrom(left, workflow);
    }

    private static Ruling exhausted(Case of) {
        Backoff backoff = of.policy().backoff();
        if (backoff == null) {
            return green(Rule.EXHAUSTED_RETRIES, "This workflow may fail to start any number of times.");
        }
        List<History.Entry> row = failuresInARow(of);
        if (row.size() < backoff.limit()) {
            return green(
                    Rule.EXHAUSTED_RETRIES,
                    "%d of at most %d failures in a row before the work began."
                            .formatted(row.size(), backoff.limit() - 1));
        }
        History.Entry last = row.get(row.size() - 1);
        // One at a time can run, and if it fails it is the last: so no more than one ever probes.
        Duration wait = backoff.probeAfter();
        Instant probeAt = wait == null ? null : last.endedAt().plus(wait);
        return probeAt != null && !of.now().isBefore(probeAt)
                ? green(
                        Rule.EXHAUSTED_RETRIES,
                        row.size() + " failures in a row before the work began; one may try again now.")
                : new Ruling.Red(new Reason.ExhaustedRetries(of.asked(), last, row.size(), probeAt));
    }

    private static Ruling backoff(Case of) {
        Backoff backoff = of.policy().backoff();
        List<History.Entry> row = backoff == null ? List.of() : failuresInARow(of);
        if (backoff == null || row.isEmpty()) {
            return green(Rule.BACKOFF, "No wait after a failure.");
        }
        History.Entry last = row.get(row.size() - 1);
        Instant until = last.endedAt().plus(backoff.delay(row.size(), last.execution()));
        return of.now().isBefore(until)
                ? new Ruling.Red(new Reason.BackingOff(of.asked(), last, row.size(), until))
                : green(Rule.BACKOFF, "The wait after the failure of execution " + last.execution() + " is over.");
    }

    private static Ruling cooldown(Case of) {
        Policy policy = of.policy();
        History.Entry last = of.history().lastSuccess(policy.cooldownScope(), workflow(of));
        if (policy.cooldown().isZero() || last == null) {
            return green(Rule.COOLDOWN, "No wait after a success.");
        }
        Instant until = last.endedAt().plus(policy.cooldown());
        return of.now().isBefore(until)
                ? new Ruling.Red(new Reason.CoolingDown(of.asked(), last, until))
                : green(Rule.COOLDOWN, "The wait after execution " + last.execution() + " is over.");
    }

    private static Ruling frozen(Case of) {
        Lock lock = of.situation().lock();
        return lock != null && isFrozen(lock)
                ? new Ruling.Red(new Reason.Frozen(of.asked(), lock))
                : green(Rule.FROZEN, "Nobody holds the target for maintenance.");
    }

    private static Ruling busy(Case of) {
        Lock lock = of.situation().lock();
        if (lock != null && !isFrozen(lock) && !isOwn(lock, of.candidate())) {
            if (lock.isHeld() || lock.waiting() > 0) {
                return new Ruling.Red(new Reason.Locked(of.asked(), lock));
            }
            Instant until = lock.closedUntil();
            if (until != null && of.now().isBefore(until)) {
                return new Ruling.Red(new Reason.Closed(of.asked(), lock, until));
            }
        }
        // One that runs without a lock counts as well: a store that forgot its locks must not let two in.
        List<Situation.Open> ahead = of.situation().open().stream()
                .filter(open -> !of.candidate().is(open.execution()))
                .filter(open -> open.running() || of.candidate().isBehind(open))
                .sorted(Comparator.comparing((Situation.Open open) -> !open.running())
                        .thenComparing(Situation.Open::submittedAt)
                        .thenComparing(Situation.Open::execution))
                .toList();
        return ahead.isEmpty()
                ? green(Rule.RESOURCE_BUSY, "Nobody works on the target, and nobody is ahead.")
                : new Ruling.Red(new Reason.Ahead(of.asked(), ahead.get(0), ahead.size()));
    }

    private static boolean isFrozen(Lock lock) {
        return lock.isHeld() && lock.grant().maintenance() != null;
    }

    /** After a crash between taking the lock and saying so, an attempt must not find itself in its own way. */
    private static boolean isOwn(Lock lock, Candidate candidate) {
        Holder holder = lock.holder();
        return lock.status() == Lock.Status.ACTIVE
                && candidate.is(holder.execution())
                && holder.attempt() == candidate.attempt();
    }

    private static List<History.Entry> failuresInARow(Case of) {
        Scope scope = Objects.requireNonNullElse(of.policy().block(), Scope.TARGET);
        return of.history().failuresInARow(scope, workflow(of));
    }

    private static String workflow(Case of) {
        return of.candidate().request().workflow();
    }

    private static Ruling green(Rule rule, String evidence) {
        return new Ruling.Green(rule, evidence);
    }
}

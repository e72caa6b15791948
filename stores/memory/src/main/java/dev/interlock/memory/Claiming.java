package dev.interlock.memory;

import dev.interlock.core.Ask;
import dev.interlock.core.Holder;
import dev.interlock.core.Lease;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Lock;
import dev.interlock.core.LockName;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Consequence;
import dev.interlock.core.admission.Reason;
import dev.interlock.core.admission.Rule;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Claims;
import dev.interlock.core.work.Running;
import dev.interlock.core.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One claim, at one instant: looks at what is pending in order, and starts what may start. */
final class Claiming {
    private final Ledger ledger;
    private final Claimant claimant;
    private final Instant now;

    Claiming(Ledger ledger, Claimant claimant, Instant now) {
        this.ledger = ledger;
        this.claimant = claimant;
        this.now = now;
    }

    Claims take(int most) {
        claimant.leases().values().forEach(this::requireAlive);
        return take(most, target -> true);
    }

    /** What is next in line on these targets, as far as nothing else is ahead of it. */
    List<Claimed> inherit(Set<String> targets, int most) {
        try {
            claimant.leases().values().forEach(this::requireAlive);
        } catch (LeaseEnded e) {
            return List.of();
        }
        return take(most, targets::contains).started();
    }

    private Claims take(int most, Predicate<String> targets) {
        List<Claimed> taken = new ArrayList<>();
        int parked = 0;
        Iterator<ExecutionRecord> line = ledger.pending().iterator();
        while (line.hasNext() && taken.size() < most) {
            ExecutionRecord record = line.next();
            Lease lease = isDue(record.execution()) ? lease(record) : null;
            if (lease == null) {
                continue;
            }
            Execution execution = record.execution();
            Consequence consequence =
                    ledger.examine(Candidate.of(execution), now).consequence();
            if (consequence instanceof Consequence.Start) {
                if (!targets.test(record.target())) {
                    break;
                }
                line.remove();
                taken.add(start(record, lease));
            } else if (Ends.refusal(consequence, execution, now)
                    .map(record::move)
                    .isPresent()) {
                line.remove();
                new Finishing(ledger, now).leftPending(record);
            } else if (isBusy(consequence) && record.parks()) {
                parked++;
            }
        }
        return new Claims(taken, parked);
    }

    private static boolean isBusy(Consequence consequence) {
        return consequence instanceof Consequence.Wait(Reason reason, var until)
                && reason.rule() == Rule.RESOURCE_BUSY
                && until == null;
    }

    private void requireAlive(Lease lease) {
        Memory memory = ledger.memory();
        memory.lease(lease).filter(record -> !memory.isAlive(record, now)).ifPresent(record -> {
            throw new LeaseEnded(lease);
        });
    }

    private boolean isDue(Execution execution) {
        Instant next = execution.nextAttemptAt();
        return next == null || !next.isAfter(now);
    }

    /** The lease on which this claimant would hold it; null when it does not offer the workflow. */
    private @Nullable Lease lease(ExecutionRecord record) {
        String name = record.execution().request().workflow();
        Resource resource = ledger.resource(record.target());
        Workflow workflow = ledger.catalogue().workflow(name, resource);
        String offer =
                resource == null ? name : Claimant.offer(resource.lifecycle().name(), name);
        return workflow != null && claimant.workflows().contains(offer)
                ? claimant.leases().get(workflow.policy().lease())
                : null;
    }

    private Claimed start(ExecutionRecord record, Lease lease) {
        Execution execution = record.execution();
        String name = execution.request().workflow();
        int number = execution.attempts().size() + 1;
        String owner = claimant.identity().owner();
        Holder holder =
                new Holder(execution.id(), number, owner, execution.request().requester());
        Lock lock = ledger.memory().take(new Ask(LockName.of(record.target()), holder, lease), now);
        Transition started = record.move(execution.start(Attempt.started(number, owner, lock.token(), now)));
        if (!(started instanceof Transition.Moved)) {
            throw new IllegalStateException("admission let it start, its phase did not: " + started);
        }
        Resource resource = ledger.resource(record.target());
        Workflow workflow = ledger.catalogue().workflow(name, resource);
        if (workflow == null) {
            throw new IllegalStateException("admission let start what nobody has declared: " + name);
        }
        if (resource != null) {
            ledger.change(record.target(), resource.begin(name, execution.id()));
        }
        Claimed claimed = new Claimed(record.execution(), lock, workflow, ledger.resource(record.target()));
        record.claimedAs(claimed);
        return claimed;
    }

    List<Running> running() {
        Set<UUID> leases = claimant.leases().values().stream().map(Lease::id).collect(Collectors.toUnmodifiableSet());
        List<Running> running = new ArrayList<>();
        for (ExecutionRecord record : ledger.records()) {
            Claimed claimed = record.claimed();
            if (claimed != null && leases.contains(claimed.lock().grant().lease())) {
                ExecutionRecord.Order order = record.cancellation();
                running.add(new Running(claimed, order == null ? null : order.by()));
            }
        }
        return running;
    }
}

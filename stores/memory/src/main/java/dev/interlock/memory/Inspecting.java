package dev.interlock.memory;

import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.lifecycle.Declaration.Step;
import dev.interlock.core.lifecycle.Resource;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.ResourceStore.Kept;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What there is to put right at one instant and is not seen by looking at what runs. */
final class Inspecting {
    static final String DESTROY = "JANITOR_DESTROY";

    private final Ledger ledger;
    private final Patience patience;
    private final Instant now;

    Inspecting(Ledger ledger, Patience patience, Instant now) {
        this.ledger = ledger;
        this.patience = patience;
        this.now = now;
    }

    List<Finding> inspect(int most) {
        List<Finding> found = new ArrayList<>();
        found.addAll(Looking.some(ledger.memory().locks().stream(), this::orphaned, most));
        found.addAll(Looking.some(ledger.resources().values().stream(), this::expired, most));
        found.addAll(Looking.some(records(), this::oldLetter, most));
        found.addAll(Looking.some(records(), this::spentLetter, most));
        return found;
    }

    private Stream<ExecutionRecord> records() {
        return StreamSupport.stream(ledger.records().spliterator(), false);
    }

    private @Nullable Finding orphaned(LockRecord lock) {
        if (!lock.isHeld()
                || lock.latest().forced() != null
                || lock.latest().terms().maintenance() != null) {
            return null;
        }
        Tenure tenure = lock.latest();
        ExecutionRecord record = ledger.record(tenure.holder().execution());
        Claimed claimed = record == null ? null : record.claimed();
        boolean runs = claimed != null && claimed.token() == tenure.token();
        return record == null || runs
                ? null
                : new Finding.OrphanedLock(
                        lock.name().value(),
                        tenure.token(),
                        record.id(),
                        tenure.holder().owner());
    }

    /** In nobody's hands, in a state from which it can be destroyed; and nobody is at it, or has failed at it. */
    private @Nullable Finding expired(Kept kept) {
        Instant over = kept.expiresAt();
        Resource resource = kept.resource();
        Step destroy = resource.lifecycle().step(DESTROY);
        if (over == null || !hasPassed(over) || destroy == null || !resource.allows(DESTROY, null)) {
            return null;
        }
        boolean atIt = ledger.of(kept.target().value()).stream().anyMatch(record -> isAtIt(record, resource, destroy));
        long period = Duration.between(over, now).toHours();
        Finding.ResourceExpired found =
                new Finding.ResourceExpired(kept.target().value(), over, period);
        return atIt || isTried(found) ? null : found;
    }

    private boolean isAtIt(ExecutionRecord record, Resource resource, Step destroy) {
        String workflow = record.execution().request().workflow();
        Step step = resource.lifecycle().step(workflow);
        boolean same = step != null
                && step.onSuccess().text().equals(destroy.onSuccess().text());
        return record.execution().running() != null
                || (record.isOpen() && same)
                || (record.deadSince() != null && workflow.equals(DESTROY));
    }

    private boolean isTried(Finding.ResourceExpired found) {
        return ledger.of(found.target()).stream()
                .anyMatch(
                        record -> key(found).equals(record.execution().request().idempotencyKey()));
    }

    /** Once in each period. */
    static String key(Finding.ResourceExpired found) {
        return "expired:" + found.expiredAt() + ":" + found.period() + ":" + found.target();
    }

    private @Nullable Finding oldLetter(ExecutionRecord record) {
        Instant dead = record.deadSince();
        if (dead == null || !hasPassed(dead.plus(patience.deadTold())) || hasPassed(dead.plus(patience.deadKept()))) {
            return null;
        }
        Finding told = new Finding.DeadLetterOld(record.id(), record.target(), dead);
        return ledger.isTold(told) ? null : told;
    }

    private @Nullable Finding spentLetter(ExecutionRecord record) {
        Instant dead = record.deadSince();
        return dead == null || !hasPassed(dead.plus(patience.deadKept()))
                ? null
                : new Finding.DeadLetterSpent(record.id(), record.target(), dead);
    }

    private boolean hasPassed(Instant instant) {
        return !instant.isAfter(now);
    }
}

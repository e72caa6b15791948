package dev.interlock.engine;

import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.janitor.Brake;
import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Finding;
import dev.interlock.core.janitor.JanitorStore;
import dev.interlock.core.janitor.Sight;
import dev.interlock.core.work.WorkEvent;
import dev.interlock.core.work.WorkEvent.Repair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round after the other; used by one thread at a time. */
final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Janitor.class);

    /** Of each kind, in one round: what has gathered in an outage is put right bit by bit. */
    private static final int MOST = 100;

    private static final Duration BETWEEN_INSPECTIONS = Duration.ofMinutes(1);
    private static final Duration READ_BACK = Duration.ofMinutes(3);
    private static final Duration READ_BACK_FIRST = Duration.ofMinutes(10);

    private final JanitorStore store;
    private final Duties duties;
    private final Ports.Ticker ticker;

    /** What could not be put right; it is left alone until the next inspection. */
    private final Set<Finding> troubles = new HashSet<>();

    private @Nullable Long inspectedAt;
    private Brake brake = Brake.Off.OFF;

    Rounds(JanitorStore store, Duties duties, Ports.Ticker ticker) {
        this.store = store;
        this.duties = duties;
        this.ticker = ticker;
    }

    /** What a round would act upon now. */
    Sweep look() {
        Sight sight = store.look(duties.patience(), MOST);
        List<Finding> all = new ArrayList<>(sight.findings());
        all.addAll(store.inspect(duties.patience(), READ_BACK_FIRST, MOST));
        return new Sweep(
                List.of(), all, Brake.judge(sight.census()), sight.census().running());
    }

    Sweep round() {
        long began = ticker.nanos();
        Sweep swept = sweep();
        duties.counter().saw(new WorkEvent.Swept(Duration.ofNanos(ticker.nanos() - began)));
        return swept;
    }

    private Sweep sweep() {
        Sight sight = store.look(duties.patience(), MOST);
        told(Brake.judge(sight.census()));
        boolean thorough = isInspectionDue();
        if (thorough) {
            troubles.clear();
        }
        List<Deed> deeds = new ArrayList<>();
        List<Finding> heldBack = new ArrayList<>();
        handle(sight.findings(), deeds, heldBack);
        if (thorough) {
            handle(inspection(), deeds, heldBack);
        }
        duties.sealer().seal();
        return new Sweep(deeds, heldBack, brake, sight.census().running());
    }

    private void handle(List<Finding> found, List<Deed> deeds, List<Finding> heldBack) {
        for (Finding finding : found) {
            if (brake.holdsBack(finding)) {
                heldBack.add(finding);
            } else if (!troubles.contains(finding)) {
                deeds.add(act(finding));
            }
        }
    }

    private boolean isInspectionDue() {
        return inspectedAt == null || ticker.nanos() - inspectedAt >= BETWEEN_INSPECTIONS.toNanos();
    }

    /** It is dearer than a look: one that fails is not tried again before its time, and keeps nobody from the rest. */
    private List<Finding> inspection() {
        Duration back = inspectedAt == null ? READ_BACK_FIRST : READ_BACK;
        inspectedAt = ticker.nanos();
        try {
            return store.inspect(duties.patience(), back, MOST);
        } catch (StoreUnavailable e) {
            LOG.warn("The inspection failed: {}", e.getMessage());
            return List.of();
        }
    }

    /** One that cannot be put right must not keep the others from it; a store that cannot answer ends the round. */
    private Deed act(Finding finding) {
        Deed deed;
        try {
            deed = store.act(finding, duties.patience());
        } catch (StoreUnavailable e) {
            if (e.kind() != StoreUnavailable.Kind.BROKEN && e.kind() != StoreUnavailable.Kind.BUSY) {
                throw e;
            }
            deed = failed(finding, e);
            if (e.kind() == StoreUnavailable.Kind.BUSY) {
                troubles.remove(finding);
            }
        } catch (RuntimeException e) {
            deed = failed(finding, e);
        }
        write(deed);
        duties.observer().accept(deed);
        if (deed instanceof Deed.Done) {
            duties.counter().saw(new WorkEvent.Repaired(repair(finding)));
        }
        return deed;
    }

    private static Repair repair(Finding finding) {
        return switch (finding) {
            case Finding.ExpiredAttempt f -> Repair.EXPIRED_ATTEMPT;
            case Finding.LockStateLost f -> Repair.LOCK_STATE_LOST;
            case Finding.OrphanedLock f -> Repair.ORPHANED_LOCK;
            case Finding.Stranded f -> Repair.STRANDED;
            case Finding.GoneWaiters f -> Repair.GONE_WAITERS;
            case Finding.GoneWorker f -> Repair.GONE_WORKER;
            case Finding.Overdue f -> Repair.OVERDUE;
            case Finding.RunningLong f -> Repair.RUNNING_LONG;
            case Finding.ResourceExpired f -> Repair.RESOURCE_EXPIRED;
            case Finding.DeadLetterOld f -> Repair.DEAD_LETTER_OLD;
            case Finding.DeadLetterSpent f -> Repair.DEAD_LETTER_SPENT;
            case Finding.OverlappingGrants f -> Repair.OVERLAPPING_GRANTS;
        };
    }

    private Deed failed(Finding finding, RuntimeException e) {
        troubles.add(finding);
        LOG.debug("Not put right: {}", finding, e);
        return new Deed.Failed(finding, String.valueOf(e.getMessage()));
    }

    private static void write(Deed deed) {
        switch (deed) {
            case Deed.Done(Finding finding, var outcome) when finding.isAlert() -> LOG.warn(deed.sentence());
            case Deed.Done done -> LOG.info(deed.sentence());
            case Deed.Moot moot -> LOG.debug(deed.sentence());
            case Deed.Failed failed -> LOG.error(deed.sentence());
        }
    }

    private void told(Brake now) {
        if (!now.equals(brake)) {
            LOG.info(now.sentence());
            brake = now;
        }
    }
}

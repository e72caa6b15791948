package dev.interlock.engine;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Loss;
import dev.interlock.core.Ports;
import dev.interlock.core.execution.Failure;
import dev.interlock.core.execution.FailureKind;
import dev.interlock.core.execution.RetryClass;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts that this worker has, from their claim until the store has taken note of their end. */
final class Runs {
    private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

    private final Workplace place;
    private final Offers offers;
    private final Slots slots;
    private final Finisher finisher;
    private final Pump pump;
    private final Duration stopGrace;
    private final Ports ports;

    private final ReentrantLock guard = new ReentrantLock();
    private final Map<Run.Key, Run> runs = new HashMap<>();
    private final Set<Run.Key> concludedMeanwhile = new HashSet<>();
    private final Map<Run.Key, Long> suspects = new HashMap<>();
    private boolean looking;
    private long begun;
    private long settled;
    private long settledBefore;
    private boolean closed;
    private Runnable onRoom = () -> {};

    Runs(Workplace place, Offers offers, Slots slots, WorkerSettings settings) {
        this.place = place;
        this.offers = offers;
        this.slots = slots;
        this.stopGrace = settings.stopGrace();
        this.ports = place.ports();
        this.pump = new Pump(ports);
        this.finisher = new Finisher((ends, kept) -> place.executions().finish(ends), ports, this::concluded);
    }

    /** Whom to tell that there is room for more, or that nothing is left. */
    void onRoom(Runnable listener) {
        onRoom = listener;
    }

    /** How the store is told about ends. */
    void tellEndsBy(Finisher.Teller teller) {
        finisher.tellBy(teller);
    }

    /** How many have ended of which the store has not taken note yet. */
    int untold() {
        return finisher.untold();
    }

    /** Takes charge of what was claimed. */
    void accept(Claimed claimed, HeldLock lock) {
        Offer offer = offers.of(claimed);
        Output output = new Output(claimed, place.logs(), place.executions(), pump);
        Run run = new Run(claimed, lock, offer == null ? Offers.NOTHING : offer, output, ports);
        boolean leaving;
        guard.lock();
        try {
            if (runs.putIfAbsent(run.key(), run) != null) {
                return;
            }
            leaving = closed;
        } finally {
            guard.unlock();
        }
        lock.onLost(why -> stop(run, new Stop.Lost(why)));
        if (offer == null) {
            finisher.add(run, notOffered(claimed), false);
        } else if (leaving) {
            finisher.add(run, run.unstarted(), false);
        } else if (slots.enter(run)) {
            ports.tasks().start("interlock-work", () -> work(run));
        }
    }

    private static Outcome notOffered(Claimed claimed) {
        Failure failure = new Failure(
                FailureKind.NOT_STARTED, RetryClass.TRANSIENT, "NO_HANDLER", "Its worker has no handler for it.");
        return new Outcome.Failed(
                null, failure, null, claimed.workflow().policy().retry());
    }

    /** One slot at work: as long as somebody waits for it, it goes on with the next. */
    private void work(Run first) {
        for (Run run = first; run != null; ) {
            long began = ports.ticker().nanos();
            Outcome outcome = run.perform();
            // Where ends come faster than the store takes note, its answer would come too late for a slot to wait for.
            boolean keep = outcome != null && untold() < slots.size();
            Run next = slots.next(ports.ticker().nanos() - began, keep);
            if (outcome == null) {
                run.about(LOG.atWarn()).log("Stopped; its lock was lost, so its end is not for this worker to tell.");
                concluded(List.of(run));
            } else {
                finisher.add(run, outcome, keep && next == null);
            }
            run = next;
            if (slots.wanted(untold()) > 0) {
                onRoom.run();
            }
        }
    }

    /** Tells an attempt to stop. One that still waits for a slot ends here. */
    void stop(Run run, Stop why) {
        if (!run.stop(why)) {
            return;
        }
        run.about(LOG.atInfo()).addKeyValue("why", why.sentence()).log("Stopping.");
        if (slots.remove(run)) {
            finisher.add(run, run.unstarted(), false);
        } else {
            ports.timers().after(stopGrace, () -> insist(run, why));
        }
    }

    /** Its lock stays held and renewed for as long as it really runs, so people must see why. */
    private void insist(Run run, Stop why) {
        if (run.insist()) {
            run.about(LOG.atError()).addKeyValue("why", why.sentence()).log("Does not stop.");
            run.progress("does not stop (" + why.sentence() + ")");
            ports.timers().after(stopGrace, () -> insist(run, why));
        }
    }

    /** Nothing new is begun from here on, and what waits is handed back. */
    void close() {
        guard.lock();
        try {
            closed = true;
        } finally {
            guard.unlock();
        }
        handBackWaiting();
    }

    void handBackWaiting() {
        slots.removeAll().forEach(run -> finisher.add(run, run.unstarted(), false));
    }

    void stopAll(Stop why) {
        all().forEach(run -> stop(run, why));
    }

    private List<Run> all() {
        guard.lock();
        try {
            return List.copyOf(runs.values());
        } finally {
            guard.unlock();
        }
    }

    boolean isEmpty() {
        guard.lock();
        try {
            return runs.isEmpty();
        } finally {
            guard.unlock();
        }
    }

    private void concluded(List<Run> over) {
        over.forEach(run -> run.lock().concluded());
        guard.lock();
        try {
            for (Run run : over) {
                runs.remove(run.key());
                if (looking) {
                    concludedMeanwhile.add(run.key());
                }
            }
        } finally {
            guard.unlock();
        }
        onRoom.run();
    }

    /** Before the store is asked what runs here: what it is compared with when the answer comes. */
    List<Run> beforeLook() {
        guard.lock();
        try {
            looking = true;
            settledBefore = settled;
            return List.copyOf(runs.values());
        } finally {
            guard.unlock();
        }
    }

    /** Before an end is told that may start what is next: until it is settled, the store knows of more than runs here. */
    void beforeSuccession() {
        guard.lock();
        try {
            begun++;
        } finally {
            guard.unlock();
        }
    }

    /** The answer is here, and what it named has been accepted; or it will never come. */
    void settledSuccession() {
        guard.lock();
        try {
            settled++;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Those in the store's answer that this worker has never heard of. What ended while it was asked is not new. What was
     * first seen while a succession was on its way may be what that one has started: it is judged by a look that began
     * after its answer.
     */
    List<Claimed> unknown(List<Claimed> seen) {
        guard.lock();
        try {
            Map<Run.Key, Long> before = Map.copyOf(suspects);
            suspects.clear();
            List<Claimed> unknown = new ArrayList<>();
            for (Claimed claimed : seen) {
                Run.Key key = Run.Key.of(claimed);
                long since = before.getOrDefault(key, begun);
                if (runs.containsKey(key) || concludedMeanwhile.contains(key)) {
                    continue;
                }
                if (since <= settledBefore) {
                    unknown.add(claimed);
                } else {
                    suspects.put(key, since);
                }
            }
            return unknown;
        } finally {
            guard.unlock();
        }
    }

    /** Whether the last look saw what it could not judge. */
    boolean hasSuspects() {
        guard.lock();
        try {
            return !suspects.isEmpty();
        } finally {
            guard.unlock();
        }
    }

    void afterLook() {
        guard.lock();
        try {
            looking = false;
            concludedMeanwhile.clear();
        } finally {
            guard.unlock();
        }
    }

    @Nullable Run find(Claimed claimed) {
        guard.lock();
        try {
            return runs.get(Run.Key.of(claimed));
        } finally {
            guard.unlock();
        }
    }

    /** The store does not know that it runs: somebody has ended it there, and it must stop. */
    void forgotten(Run run) {
        if (!run.isOver()) {
            stop(run, new Stop.Lost(Loss.Cause.FORGOTTEN));
        }
    }
}

package dev.interlock.engine;

import dev.interlock.core.HeldLock;
import dev.interlock.core.LeaseEnded;
import dev.interlock.core.Locks;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.Claimant;
import dev.interlock.core.work.Claimed;
import dev.interlock.core.work.Claims;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finished;
import dev.interlock.core.work.Running;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store for work, and what it thinks runs here. Both are questions of one lane: an attempt that shows up in the
 * second and is unknown here was taken by a claim whose answer was lost, never by one whose answer is still to come.
 */
final class Claimer {
    private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 5;
    private static final int ENOUGH = 5;

    private final Workplace place;
    private final Locks locks;
    private final Offers offers;
    private final Slots slots;
    private final Runs runs;
    private final Ports ports;
    private final Lane lane;

    private final AtomicBoolean lookWanted = new AtomicBoolean(true);
    private final AtomicBoolean lookNow = new AtomicBoolean();
    private final AtomicBoolean lookPlanned = new AtomicBoolean();
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile boolean closed;

    /** Nothing was found when it was last asked, and nothing has been heard since it was. */
    private volatile boolean dry;

    /** Which leases what is offered here may want; only ever more, since what runs may still hang on one. */
    private volatile Set<Duration> durations = Set.of();

    // Touched by the lane alone.
    private int failures;
    private long notBefore;
    private long nextLook;
    private long nextDue;

    Claimer(Workplace place, Locks locks, Offers offers, Slots slots, Runs runs, BooleanSupplier goesOn) {
        this.place = place;
        this.locks = locks;
        this.offers = offers;
        this.slots = slots;
        this.runs = runs;
        this.ports = place.ports();
        this.notBefore = ports.ticker().nanos();
        this.nextLook = notBefore;
        this.nextDue = notBefore;
        this.lane = new Lane("interlock-claim", ports.tasks(), () -> {
            if (goesOn.getAsBoolean()) {
                round();
            }
        });
    }

    /** There may be something to do. */
    void wake() {
        dry = false;
        lane.wake();
    }

    /** There is room for more, or nothing is left here. Where nothing was found, whatever comes is told. */
    void room() {
        if (!dry || closed) {
            lane.wake();
        }
    }

    /** Something happened in the store: there may be work, or something here may be to be stopped. */
    void hint() {
        if (!runs.isEmpty()) {
            lookWanted.set(true);
        }
        wake();
    }

    /** What is declared may have changed; and what runs here is looked at, whatever hints were lost. */
    void poll() {
        Set<Duration> more = new HashSet<>(durations);
        more.addAll(offers.leases(place.catalogue().catalogue()));
        durations = Set.copyOf(more);
        if (!runs.isEmpty() || failures > 0) {
            look();
        }
    }

    void close() {
        closed = true;
        lane.wake();
    }

    private void look() {
        lookNow.set(true);
        lookWanted.set(true);
    }

    /** Whether nothing is left that an unanswered request took: it was looked for since, or often enough in vain. */
    boolean isSure() {
        return (failures == 0 && !lookNow.get()) || failures >= ENOUGH;
    }

    private void round() {
        boolean nothing = !lookWanted.get() && wanted() == 0;
        if (nothing || durations.isEmpty() || notBefore - ports.ticker().nanos() > 0) {
            return;
        }
        try (Leases leases = new Leases(locks, durations)) {
            Claimant claimant = claimant(leases);
            lookIfWanted(leases, claimant);
            claim(leases, claimant);
            failures = 0;
        } catch (StoreUnavailable e) {
            failed(e);
        } catch (RuntimeException | Error e) {
            // Whatever went wrong, what was claimed must not be forgotten.
            look();
            throw e;
        }
    }

    private Claimant claimant(Leases leases) {
        return new Claimant(place.identity(), leases.byDuration(), offers.names());
    }

    /**
     * Tells the store how attempts ended, and goes on with what was next in line behind them. For the lane of ends: the
     * hand-over does not wait for this one.
     */
    List<Transition> finish(List<Finish> finishes, int kept) {
        if (closed || kept == 0 || durations.isEmpty()) {
            slots.vacate(kept);
            return place.executions().finish(finishes);
        }
        runs.beforeSuccession();
        try (Leases leases = new Leases(locks, durations)) {
            long askedAt = ports.ticker().nanos();
            Finished finished = place.executions().finish(finishes, claimant(leases), kept);
            finished.next().forEach(one -> accept(one, leases, askedAt));
            return finished.answers();
        } catch (RuntimeException | Error e) {
            // What was next may have started, and nobody here knows.
            look();
            throw e;
        } finally {
            slots.vacate(kept);
            runs.settledSuccession();
            if (lookNow.get()) {
                lane.wake();
            }
        }
    }

    /** Hints may come by the thousand; what runs is looked at once a second. */
    private void lookIfWanted(Leases leases, Claimant claimant) {
        long now = ports.ticker().nanos();
        if (!lookWanted.get()) {
            return;
        }
        if (!lookNow.getAndSet(false) && nextLook - now > 0) {
            lookLater(Duration.ofNanos(nextLook - now));
            return;
        }
        lookWanted.set(false);
        nextLook = now + LOOK_AGAIN.toNanos();
        List<Run> known = runs.beforeLook();
        try {
            compare(known, place.executions().running(claimant), leases, now);
        } finally {
            runs.afterLook();
        }
        if (closed) {
            lane.wake();
        }
    }

    private void lookLater(Duration delay) {
        if (lookPlanned.compareAndSet(false, true)) {
            ports.timers().after(delay, () -> {
                lookPlanned.set(false);
                lane.wake();
            });
        }
    }

    private void compare(List<Run> known, List<Running> seen, Leases leases, long askedAt) {
        Set<Run.Key> there = new HashSet<>();
        for (Running running : seen) {
            there.add(Run.Key.of(running.claimed()));
        }
        known.stream()
                .filter(run -> leases.contain(run.lock().lock()) && !there.contains(run.key()))
                .forEach(runs::forgotten);
        runs.unknown(seen.stream().map(Running::claimed).toList()).forEach(claimed -> accept(claimed, leases, askedAt));
        if (runs.hasSuspects()) {
            lookWanted.set(true);
            lookLater(LOOK_AGAIN);
        }
        for (Running running : seen) {
            String by = running.cancelledBy();
            Run run = runs.find(running.claimed());
            if (by != null && run != null) {
                runs.stop(run, new Stop.Cancelled(by));
            }
        }
    }

    private void claim(Leases leases, Claimant claimant) {
        int wanted = wanted();
        if (wanted == 0) {
            return;
        }
        long askedAt = ports.ticker().nanos();
        dry = true;
        try {
            Claims claims = place.executions().claim(claimant, wanted);
            slots.found(claims.started().size(), claims.parked());
            claims.started().forEach(one -> accept(one, leases, askedAt));
            watchPrefetch();
            if (claims.equals(Claims.NONE)) {
                place.executions().untilDue().ifPresent(this::claimLater);
            } else {
                // There may be more, also behind what only stood in the way.
                wake();
            }
        } catch (LeaseEnded e) {
            leases.ended(e);
            askLater();
        }
    }

    /** Nobody is told when a retry or the end of a cooldown is due. What is far off is asked for again by then. */
    private void claimLater(Duration delay) {
        // What is due and was not found is in somebody else's hands for the moment.
        Duration wait = delay.isZero() ? FIRST_RETRY : delay.plusMillis(1);
        long now = ports.ticker().nanos();
        long at = now + wait.toNanos();
        if (wait.compareTo(SOON) < 0 && (nextDue - now <= 0 || at - nextDue < 0)) {
            nextDue = at;
            ports.timers().after(wait, lane::wake);
        }
    }

    private int wanted() {
        return closed ? 0 : slots.wanted(runs.untold());
    }

    private void accept(Claimed claimed, Leases leases, long askedAt) {
        HeldLock lock = leases.hold(claimed.lock(), askedAt);
        if (lock != null) {
            runs.accept(claimed, lock);
        }
    }

    /** What was taken in advance does not wait behind work that turns out to be long. */
    private void watchPrefetch() {
        if (slots.isQuick() && slots.isOccupied() && checking.compareAndSet(false, true)) {
            long mark = slots.mark();
            ports.timers().after(Slots.PATIENCE, () -> {
                checking.set(false);
                if (slots.slowSince(mark)) {
                    runs.handBackWaiting();
                } else {
                    // Whoever came meanwhile has not been watched yet.
                    watchPrefetch();
                }
            });
        }
    }

    /** Nothing new starts while the store cannot answer; what an unanswered claim took is looked for afterwards. */
    private void failed(StoreUnavailable why) {
        LOG.atWarn().addKeyValue("why", why.getMessage()).log("The store cannot be asked for work.");
        look();
        askLater();
    }

    private void askLater() {
        dry = false;
        Duration delay = ports.jittered(FIRST_RETRY.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS)))
                .plusMillis(1);
        long now = ports.ticker().nanos();
        notBefore = now + delay.toNanos();
        ports.timers().after(delay, lane::wake);
    }
}

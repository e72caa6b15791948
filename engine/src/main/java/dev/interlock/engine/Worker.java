package dev.interlock.engine;

import dev.interlock.core.Locks;
import dev.interlock.core.Observer;
import dev.interlock.core.Ports;
import dev.interlock.core.Settings;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.work.WakeUps;
import dev.interlock.core.work.WorkEvent;
import dev.interlock.core.work.WorkObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs executions: claims what may start, holds the lock of its target while a handler works, stops the handler when it
 * must not go on, and tells the store how it ended.
 *
 * <pre>{@code
 * Worker worker = Worker.at(workplace)
 *         .handling("deploy", work -> deploy(work.target(), work.parameters(), work.token()))
 *         .start();
 * …
 * worker.drain().join();
 * }</pre>
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final Workplace place;
    private final WorkerSettings settings;
    private final Ports ports;
    private final Locks locks;
    private final Runs runs;
    private final Claimer claimer;
    private final Presence presence;

    private final AtomicBoolean pollDue = new AtomicBoolean(true);
    private final AtomicBoolean draining = new AtomicBoolean();
    private final CompletableFuture<String> gone = new CompletableFuture<>();

    private Worker(Workplace place, Locks locks, WorkerSettings settings, Offers offers) {
        this.place = place;
        this.settings = settings;
        this.ports = place.ports();
        Slots slots = new Slots(settings.slots(), settings.prefetch());
        this.runs = new Runs(place, offers, slots, settings);
        this.locks = locks;
        this.claimer = new Claimer(place, locks, offers, slots, runs, this::goesOn);
        this.presence = new Presence(place, locks, settings, offers.names());
    }

    public static Builder at(Workplace place) {
        return new Builder(place);
    }

    /** What a worker is to do, before it begins. */
    public static final class Builder {
        private final Workplace place;
        private final Map<String, Offer> offers = new HashMap<>();
        private WorkerSettings settings = WorkerSettings.DEFAULT;
        private final List<WakeUps> wakeUps = new ArrayList<>();
        private @Nullable WorkObserver observer;

        private Builder(Workplace place) {
            this.place = place;
        }

        public Builder with(WorkerSettings chosen) {
            settings = chosen;
            return this;
        }

        /** The observer is told what becomes of everything that this worker runs. */
        public Builder observedBy(WorkObserver chosen) {
            observer = chosen;
            return this;
        }

        /** Something beside the store that tells when there may be work; the worker looks by itself all the same. */
        public Builder wokenBy(WakeUps transport) {
            wakeUps.add(transport);
            return this;
        }

        /**
         * Offers a workflow. Its work counts as begun when the handler is called.
         *
         * @param workflow its name; for one of a lifecycle, lifecycle/workflow
         */
        public Builder handling(String workflow, Handler handler) {
            offers.put(workflow, new Offer(handler, true));
            return this;
        }

        /** Offers a workflow whose handler says itself, by {@link Work#began()}, when its first step begins. */
        public Builder handlingByEvidence(String workflow, Handler handler) {
            offers.put(workflow, new Offer(handler, false));
            return this;
        }

        public Worker start() {
            Worker worker = worker(place.forOneWorker());
            worker.begin();
            wakeUps.forEach(transport -> transport.onWork(worker.claimer::wake));
            return worker;
        }

        private Worker worker(Workplace own) {
            if (observer == null) {
                Locks locks = new Locks(own.locks(), own.identity(), Settings.DEFAULT, own.ports());
                return new Worker(own, locks, settings, new Offers(offers));
            }
            WorkObserver told = observer;
            Observer ofLocks = event -> told.saw(new WorkEvent.OfLock(event));
            Locks locks = new Locks(own.locks(), own.identity(), Settings.DEFAULT, own.ports(), ofLocks);
            return new Worker(own.observedBy(told), locks, settings, new Offers(offers));
        }
    }

    private void begin() {
        runs.onRoom(claimer::room);
        runs.tellEndsBy(claimer::finish);
        place.executions().onWork(claimer::hint);
        poll();
    }

    private void poll() {
        if (gone.isDone()) {
            return;
        }
        pollDue.set(true);
        claimer.wake();
        // Not all at the same moment, however many workers were started together.
        Duration sooner = ports.jittered(settings.poll().dividedBy(5));
        ports.timers().after(settings.poll().minus(sooner), this::poll);
    }

    /** Before each round of the lane that claims: whether there is still a worker to claim for. */
    private boolean goesOn() {
        if (pollDue.getAndSet(false) && !gone.isDone()) {
            lookAround();
        }
        // In the lane that claims, so that no claim can be on its way.
        if (draining.get() && runs.isEmpty() && claimer.isSure() && !gone.isDone()) {
            presence.leave();
            locks.close();
            gone.complete(id());
            LOG.atInfo().addKeyValue("worker", id()).log("The worker has left.");
        }
        return !gone.isDone();
    }

    private void lookAround() {
        try {
            if (presence.tick()) {
                beginToLeave();
            }
            claimer.poll();
        } catch (StoreUnavailable e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("The store cannot be asked for news.");
        }
    }

    /** How the store calls this worker: the owner of its locks. */
    public String id() {
        return place.identity().owner();
    }

    /**
     * Takes nothing new, hands back what has not begun, gives the rest its grace, and then stops it. The answer is done
     * when nothing runs here any more and the store knows it.
     */
    public CompletableFuture<Void> drain() {
        beginToLeave();
        return gone.thenRun(() -> {});
    }

    private void beginToLeave() {
        if (draining.compareAndSet(false, true)) {
            LOG.atInfo().addKeyValue("worker", id()).log("The worker is to leave.");
            claimer.close();
            runs.close();
            ports.timers().after(settings.drainGrace(), () -> runs.stopAll(new Stop.Drained()));
        }
    }

    /** Done when the worker has left, for whatever reason; the same answer as that of {@link #drain}. */
    public CompletableFuture<Void> gone() {
        return gone.thenRun(() -> {});
    }

    /** Drains, and waits until that is done. */
    @Override
    public void close() {
        drain().join();
    }
}

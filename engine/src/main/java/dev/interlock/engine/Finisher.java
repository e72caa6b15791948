package dev.interlock.engine;

import dev.interlock.core.Ports;
import dev.interlock.core.execution.Transition;
import dev.interlock.core.work.Finish;
import dev.interlock.core.work.Finish.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store how attempts ended. While one batch is on its way the next gathers. What is not answered is said again
 * until it is, or until the lease under it is over, since then it is not this worker's to say.
 */
final class Finisher {
    private static final Logger LOG = LoggerFactory.getLogger(Finisher.class);
    private static final int MOST = 128;
    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final int MOST_DOUBLINGS = 6;

    private final Ports ports;
    private final Consumer<List<Run>> concluded;
    private final Lane lane;
    private volatile Teller teller;

    private final ReentrantLock guard = new ReentrantLock();
    private final Deque<Ended> waiting = new ArrayDeque<>();
    private int sent;
    private int failures;
    private long notBefore;

    /** How many go together; after a failure one, so that a single bad one does not hold back the others. */
    private int most = MOST;

    /**
     * @param keepsSlot whether its slot waits for what is next in line
     */
    private record Ended(Run run, Finish finish, boolean keepsSlot) {}

    /** Tells the store, once. */
    interface Teller {
        /**
         * The answers come in the order of the ends.
         *
         * @param kept how many slots were kept for what is next in line; from now on they are the teller's to vacate
         */
        List<Transition> tell(List<Finish> finishes, int kept);
    }

    Finisher(Teller teller, Ports ports, Consumer<List<Run>> concluded) {
        this.teller = teller;
        this.ports = ports;
        this.concluded = concluded;
        this.lane = new Lane("interlock-finish", ports.tasks(), this::round);
    }

    void tellBy(Teller other) {
        teller = other;
    }

    void add(Run run, Outcome outcome, boolean keepsSlot) {
        Finish finish = run.finish(outcome);
        guard.lock();
        try {
            waiting.add(new Ended(run, finish, keepsSlot));
        } finally {
            guard.unlock();
        }
        lane.wake();
    }

    /** How many were added of which the store has not taken note yet. */
    int untold() {
        guard.lock();
        try {
            return waiting.size() + sent;
        } finally {
            guard.unlock();
        }
    }

    private void round() {
        List<Ended> batch = take();
        if (batch.isEmpty()) {
            return;
        }
        try {
            List<Finish> finishes = batch.stream().map(Ended::finish).toList();
            int kept = (int) batch.stream().filter(Ended::keepsSlot).count();
            List<Transition> answers = teller.tell(finishes, kept);
            succeeded();
            for (int at = 0; at < batch.size(); at++) {
                tell(batch.get(at), answers.get(at));
            }
            concluded.accept(batch.stream().map(Ended::run).toList());
        } catch (RuntimeException e) {
            failed(batch, e);
        }
        if (untold() > 0) {
            lane.wake();
        }
    }

    private List<Ended> take() {
        guard.lock();
        try {
            List<Ended> batch = new ArrayList<>();
            if (notBefore - ports.ticker().nanos() > 0) {
                return batch;
            }
            while (batch.size() < most && !waiting.isEmpty()) {
                batch.add(waiting.removeFirst());
            }
            sent = batch.size();
            return batch;
        } finally {
            guard.unlock();
        }
    }

    private void succeeded() {
        guard.lock();
        try {
            sent = 0;
            failures = 0;
            most = Math.min(MOST, most * 2);
        } finally {
            guard.unlock();
        }
    }

    private static void tell(Ended ended, Transition answer) {
        switch (answer) {
            case Transition.Moved moved ->
                ended.run()
                        .about(LOG.atDebug())
                        .addKeyValue("phase", moved.execution().phase())
                        .log("Ended.");
            case Transition.Stale stale -> refused(ended, stale);
            case Transition.Illegal illegal -> refused(ended, illegal);
        }
    }

    private static void refused(Ended ended, Transition answer) {
        ended.run()
                .about(LOG.atWarn())
                .addKeyValue("answer", answer.sentence())
                .log("The store did not accept how it ended.");
    }

    private void failed(List<Ended> batch, RuntimeException why) {
        List<Ended> over = new ArrayList<>();
        Duration delay;
        guard.lock();
        try {
            for (Ended ended : batch) {
                Ended again = new Ended(ended.run(), ended.finish(), false);
                (ended.run().lock().untilEnd().isZero() ? over : waiting).add(again);
            }
            sent = 0;
            most = 1;
            delay = ports.jittered(FIRST_RETRY.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS)))
                    .plusMillis(1);
            notBefore = ports.ticker().nanos() + delay.toNanos();
        } finally {
            guard.unlock();
        }
        for (Ended ended : over) {
            ended.run().about(LOG.atWarn()).setCause(why).log("Its end could not be told before its lease was over.");
        }
        concluded.accept(over.stream().map(Ended::run).toList());
        ports.timers().after(delay, lane::wake);
    }
}

package dev.interlock.engine;

import dev.interlock.core.HeldLock;
import dev.interlock.core.Locks;
import dev.interlock.core.Options;
import dev.interlock.core.Ports;
import dev.interlock.core.Refused;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.janitor.JanitorStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what died and puts it right. Any number may run; the one that holds the lock {@value #LOCK} acts, the others
 * wait in its queue. Two that act at once, because one was paused, do no harm: every act looks again.
 */
public final class Janitor implements AutoCloseable {
    public static final String LOCK = "interlock/janitor";

    private static final Logger LOG = LoggerFactory.getLogger(Janitor.class);

    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Options LEADING = Options.waiting(Duration.ofDays(1)).withLease(Duration.ofSeconds(6));
    private static final Duration PATIENCE_WHEN_CLOSING = Duration.ofSeconds(10);

    private final JanitorStore store;
    private final Locks locks;
    private final Duties duties;
    private final Ports ports;
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();

    public Janitor(JanitorStore store, Locks locks, Duties duties, Ports ports) {
        this.store = store;
        this.locks = locks;
        this.duties = duties;
        this.ports = ports;
    }

    /** What would be done now; nothing is. */
    public Sweep dryRun() {
        return rounds().look();
    }

    /** One round, whoever leads. */
    public Sweep tick() {
        return rounds().round();
    }

    private Rounds rounds() {
        return new Rounds(store, duties, ports.ticker());
    }

    /** Goes on in the background until it is closed. */
    public void start() {
        started.set(true);
        ports.tasks().start("interlock-janitor", () -> {
            try {
                run();
            } catch (InterruptedException e) {
                LOG.debug("The janitor was interrupted.");
            }
        });
    }

    /** Goes on in this thread until it is closed. */
    public void run() throws InterruptedException {
        started.set(true);
        try {
            while (!closing.isDone()) {
                leadOnce();
            }
        } finally {
            ended.complete(null);
        }
    }

    private void leadOnce() throws InterruptedException {
        try (HeldLock lead = lead()) {
            LOG.info("This janitor leads, with token {}.", lead.token());
            whileLeading(lead);
        } catch (Refused e) {
            LOG.debug("Another janitor leads.");
        } catch (StoreUnavailable e) {
            LOG.warn("The janitor waits: {}", e.getMessage());
            ports.await(closing, IDLE);
        }
    }

    private HeldLock lead() throws InterruptedException {
        waiting.set(Thread.currentThread());
        try {
            return locks.acquire(LOCK, LEADING);
        } finally {
            waiting.set(null);
        }
    }

    private void whileLeading(HeldLock lead) throws InterruptedException {
        Rounds rounds = rounds();
        while (lead.isHeld() && !closing.isDone()) {
            ports.await(closing, round(rounds));
        }
    }

    /** Whatever happens in one round, the next one follows. */
    private Duration round(Rounds rounds) {
        try {
            return rounds.round().isIdle() ? IDLE : BUSY;
        } catch (StoreUnavailable e) {
            LOG.warn("The janitor waits: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("A round of the janitor failed.", e);
        }
        return IDLE;
    }

    /** Ends after the act that is under way; its successor takes over at once. */
    @Override
    public void close() {
        closing.complete(null);
        Thread thread = waiting.get();
        if (thread != null) {
            thread.interrupt();
        }
        try {
            if (started.get()) {
                ports.await(ended, PATIENCE_WHEN_CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

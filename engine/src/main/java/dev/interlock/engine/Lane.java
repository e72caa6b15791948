package dev.interlock.engine;

import dev.interlock.core.Ports;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that has no thread while there is nothing to do. Rounds never overlap, and whoever wakes it can be sure that a
 * whole round follows.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int AGAIN = 2;

    private final String name;
    private final Ports.Tasks tasks;
    private final Runnable round;
    private final AtomicInteger state = new AtomicInteger(IDLE);

    Lane(String name, Ports.Tasks tasks, Runnable round) {
        this.name = name;
        this.tasks = tasks;
        this.round = round;
    }

    void wake() {
        if (state.getAndUpdate(now -> now == IDLE ? BUSY : AGAIN) == IDLE) {
            tasks.ask(name, this::rounds);
        }
    }

    private void rounds() {
        do {
            state.set(BUSY);
            try {
                round.run();
            } catch (RuntimeException | Error e) {
                // A lane that died of a bug would leave its worker alive and idle; the next round may do better.
                LOG.atError().addKeyValue("lane", name).setCause(e).log("A round failed.");
            }
        } while (!state.compareAndSet(BUSY, IDLE));
    }
}

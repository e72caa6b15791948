package dev.interlock.cli;

import dev.interlock.core.lifecycle.Catalogue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a worker is to work.
 *
 * @param here what it can run, with commands as they are found on this machine
 * @param slots how many executions it runs at once
 * @param drainGrace how long running work is given to end when the worker is to leave
 * @param stopGrace how long a command is given to end between SIGTERM and SIGKILL
 * @param metrics where to show metrics: a port on this machine, or HOST:PORT; null for nowhere
 * @param queue through which it is woken, too; {@link #NO_QUEUE}; null to leave that as it is
 * @param janitor whether it takes its turn as janitor
 * @param version of this program
 */
public record WorkerPlan(
        Catalogue here,
        int slots,
        Duration drainGrace,
        Duration stopGrace,
        @Nullable String metrics,
        @Nullable String queue,
        boolean janitor,
        String version) {
    /** In the place of a queue: nobody is to be woken through one any more. */
    public static final String NO_QUEUE = "none";
}
